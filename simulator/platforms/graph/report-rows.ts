/** The rows of an app's install status: one for each device, user and app, also for devices that left. */
import { computeStateModifiedTime } from '../../devices/contact-times.ts';
import type { SimulatedDevices, StateRow, WindowsDevice } from '../../devices/model.ts';
import { createPerson } from '../../devices/names.ts';
import { drawGuid, purpose } from '../../devices/random.ts';
import { company } from '../company.ts';
import { formatExportDate } from '../format-dates.ts';
import type { PlatformContext } from '../platform-context.ts';
import { Refusal } from '../response.ts';
import { drawWindowsVersion, emptyGuid } from './device-body.ts';
import { respondBadRequest } from './graph-errors.ts';
import type { MobileApp, ReportQuery } from './graph-objects.ts';

export type SimulatedReportRow = Readonly<Record<string, string | number>>;

/** The columns of the report, with their types. */
export const reportColumns: Readonly<Record<string, 'String' | 'Int64'>> = {
  AppInstallState: 'String',
  AppInstallStateDetails: 'String',
  ApplicationId: 'String',
  AppVersion: 'String',
  AssignmentFilterIdsExist: 'Int64',
  DeviceId: 'String',
  DeviceName: 'String',
  ErrorCode: 'Int64',
  HexErrorCode: 'String',
  InstallState: 'Int64',
  InstallStateDetail: 'Int64',
  LastModifiedDateTime: 'String',
  Platform: 'String',
  UserId: 'String',
  UserName: 'String',
  UserPrincipalName: 'String',
};

const stateWords: Readonly<Record<number, string>> = {
  1: 'Installed',
  2: 'Failed',
  3: 'Not installed',
  4: 'Uninstall failed',
  5: 'Pending install',
  [-1]: 'Not applicable',
};

/** Offset of another user's ordinal, which no device's own user has. */
const otherUserOffset = 500_000;

/** Devices among which one has its id in upper case in the report, and one in braces besides. */
const spellingPeriod = 10;

/** Rows of the agent's app; the app that replaced it has those of every third device. */
export function listReportRows(context: PlatformContext, application: string): SimulatedReportRow[] {
  const devices = context.devices();
  const { upgradedApp } = context.graphOptions;
  const isUpgraded = upgradedApp || context.graph.apps.some(replacesAgentApp);
  const findApp = (device: WindowsDevice) =>
    isUpgraded && device.ordinal % 3 === 0 ? company.newAppId : company.appId;
  const format: RowFormat = {
    application,
    filtersExist: isFiltered(context, application),
    respellsIds: context.faults.find('graph', 'ids-respelled') !== undefined,
  };
  return [...devices.windows, ...devices.departed.map(({ device }) => device)]
    .filter((device) => findApp(device) === application)
    .flatMap((device) => device.agent.stateRows.map((row) => toReportRow(devices, device, row, format)));
}

function replacesAgentApp({ id, assignments }: MobileApp): boolean {
  return id === company.newAppId && assignments.length > 0;
}

interface RowFormat {
  readonly application: string;
  readonly filtersExist: boolean;
  /** The fault ids-respelled: device ids in braces and upper case. */
  readonly respellsIds: boolean;
}

function isFiltered({ graph }: PlatformContext, application: string): boolean {
  const app = graph.apps.find(({ id }) => id === application);
  return app?.assignments.some(({ target }) => 'deviceAndAppManagementAssignmentFilterId' in target) === true;
}

function toReportRow(
  devices: SimulatedDevices,
  device: WindowsDevice,
  row: StateRow,
  { application, filtersExist, respellsIds }: RowFormat,
): SimulatedReportRow {
  const user = toReportUser(devices, device, row.user);
  return {
    AppInstallState: stateWords[row.state] ?? 'Unknown',
    AppInstallStateDetails: row.detail === 0 ? '' : 'See the detail code',
    ApplicationId: application,
    AppVersion: row.state === 1 ? '7.1.0' : '',
    AssignmentFilterIdsExist: filtersExist ? 1 : 0,
    DeviceId: respellsIds ? `{${device.id.toUpperCase()}}` : spellDeviceId(device),
    DeviceName: device.name ?? '',
    ErrorCode: row.error,
    HexErrorCode: `0x${(row.error >>> 0).toString(16).toUpperCase().padStart(8, '0')}`,
    InstallState: row.state,
    InstallStateDetail: row.detail,
    LastModifiedDateTime: formatExportDate(computeStateModifiedTime(devices, device, row)),
    Platform: `Windows ${drawWindowsVersion(devices, device)}`,
    UserId: user.id,
    UserName: user.name,
    UserPrincipalName: user.principal,
  };
}

/** The id of a device in the report, which can differ in spelling from the list's. */
function spellDeviceId({ id, ordinal }: WindowsDevice): string {
  switch (ordinal % spellingPeriod) {
    case 1:
      return id.toUpperCase();
    case 3:
      return `{${id.toUpperCase()}}`;
    default:
      return id;
  }
}

function toReportUser(
  devices: SimulatedDevices,
  device: WindowsDevice,
  user: StateRow['user'],
): { id: string; name: string; principal: string } {
  if (user === null || device.userless) {
    return { id: emptyGuid, name: 'No user', principal: '' };
  }
  const ordinal = device.userOrdinal + (user === 1 ? otherUserOffset : 0);
  const { realName, email } = createPerson(devices.seed, ordinal);
  return { id: drawGuid(devices.seed, ordinal, purpose.userId), name: realName, principal: email };
}

/** Removes so many rows that a client must notice: more than five, and more than half a percent. */
export function hideReportRows(rows: readonly SimulatedReportRow[]): SimulatedReportRow[] {
  return rows.slice(0, Math.max(0, rows.length - Math.max(7, Math.ceil(rows.length / 20))));
}

/** Reads the app and the columns of a report; refuses a request without an app or with an unknown column. */
export function readReportQuery({ filter, select }: Readonly<Record<string, unknown>>): ReportQuery {
  const application = typeof filter === 'string' ? /ApplicationId\s+eq\s+'([^']+)'/.exec(filter)?.[1] : undefined;
  if (application === undefined) {
    throw new Refusal(respondBadRequest('Required filter ApplicationId is missing.'));
  }
  const columns = Array.isArray(select) ? select.map(String) : Object.keys(reportColumns);
  if (!columns.every((name) => Object.hasOwn(reportColumns, name))) {
    throw new Refusal(respondBadRequest('UnknownError'));
  }
  return { application, columns };
}
