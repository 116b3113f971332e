/** The lists of changes, of the differences between two runs, and of exemptions. */
import type { JudgedExemption } from '../../../core/facts/judged.ts';
import type { ChangeReport } from '../../document/report-document.ts';
import { formatNumber } from './format.ts';
import type { ListDescription } from './list.ts';
import { changeTexts, compareTexts, columnTitles as titles } from './list-texts.ts';
import { dataQualityTexts } from './texts.ts';

export const changeList: ListDescription<ChangeReport> = {
  id: 'changes',
  label: changeTexts.title,
  empty: changeTexts.none,
  columns: [
    { key: 'change', title: titles.change, text: ({ change }) => change },
    { key: 'name', title: titles.name, text: ({ name = '' }) => name },
    { key: 'serialNumber', title: titles.serialNumber, text: ({ serialNumber = '' }) => serialNumber },
    { key: 'from', title: titles.from, text: ({ from = '' }) => from },
    { key: 'to', title: titles.to, text: ({ to = '' }) => to },
    { key: 'reason', title: titles.why, text: ({ reason }) => reason },
    { key: 'source', title: titles.source, text: ({ source }) => source },
    { key: 'id', title: titles.id, text: ({ id }) => id, isHidden: true },
  ],
};

/** A device whose status is not the same in two runs. */
export interface Difference {
  readonly source: string;
  readonly id: string;
  readonly name: string;
  readonly serialNumber: string;
  /** Undefined where the device was not there. */
  readonly before: string | undefined;
  readonly after: string | undefined;
}

export function describeDifferenceList(before: string, after: string): ListDescription<Difference> {
  return {
    id: 'differences',
    label: compareTexts.title,
    empty: compareTexts.same,
    columns: [
      { key: 'name', title: titles.name, text: ({ name }) => name },
      { key: 'serialNumber', title: titles.serialNumber, text: ({ serialNumber }) => serialNumber },
      { key: 'before', title: before, text: (row) => row.before ?? compareTexts.notThere },
      { key: 'after', title: after, text: (row) => row.after ?? compareTexts.notThere },
      { key: 'id', title: titles.id, text: ({ source, id }) => `${source}/${id}` },
    ],
  };
}

export function describeExemptionList(
  countDevices: (exemption: JudgedExemption) => string | undefined = () => undefined,
): ListDescription<JudgedExemption> {
  return {
    id: 'exemptions',
    label: dataQualityTexts.exemptions,
    empty: dataQualityTexts.noExemptions,
    columns: [
      { key: 'result', title: titles.result, text: ({ result }) => result },
      { key: 'match', title: titles.match, text: ({ match }) => match },
      { key: 'value', title: titles.value, text: ({ value }) => value },
      { key: 'source', title: titles.source, text: ({ source }) => source },
      { key: 'reason', title: titles.why, text: ({ reason }) => reason },
      { key: 'owner', title: titles.owner, text: ({ owner }) => owner },
      { key: 'expires', title: titles.expires, text: ({ expires }) => expires },
      {
        key: 'devices',
        title: titles.devices,
        kind: 'figure',
        text: ({ devices }) => formatNumber(devices),
        sortKey: ({ devices }) => devices,
        counts: countDevices,
      },
    ],
  };
}
