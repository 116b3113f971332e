/** Valid answers to change one thing in. */
import { type InventoryRow, parseInventoryPage } from '../../../src/sources/jamf/parse.ts';

export const who = 'Jamf Pro "macs"';
export const attribute = { id: '6', name: 'Agent Status' };
export function entry(changes: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    definitionId: '6',
    name: 'Agent Status',
    description: null,
    enabled: true,
    multiValue: false,
    values: ['Installed'],
    dataType: 'STRING',
    options: [],
    inputType: 'SCRIPT',
    ...changes,
  };
}

export function computer(changes: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    id: '958',
    udid: null,
    general: {
      name: 'MAC-01',
      platform: 'Mac',
      remoteManagement: { managed: true, managementUsername: null },
      reportDate: '2026-10-06T23:57:00.65Z',
      lastContact: '2026-10-07T03:55:32Z',
      lastEnrolledDate: '2025-12-16T15:50:57Z',
      initialEntryDate: '2025-12-16',
      extensionAttributes: [entry()],
    },
    hardware: { model: 'Mac Studio', serialNumber: 'LYF123', extensionAttributes: [] },
    userAndLocation: { username: 'ada', email: 'ada@example.com', extensionAttributes: [] },
    operatingSystem: { version: '15.2.0', extensionAttributes: [] },
    extensionAttributes: null,
    purchasing: null,
    ...changes,
  };
}

export function parseOne(
  changes: Record<string, unknown> = {},
  key: { id?: string; name: string } = attribute,
): InventoryRow {
  const [row] = parseInventoryPage({ totalCount: 1, results: [computer(changes)] }, who, key).rows;
  if (row === undefined) {
    throw new Error('no row');
  }
  return row;
}
