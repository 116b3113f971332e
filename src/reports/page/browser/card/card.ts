/** Shows the card of a device in a dialog. It has an address of its own, which may be a link from another day. */
import { fillText } from '../../shared/format.ts';
import { listTexts, cardTexts as texts } from '../../shared/list-texts.ts';
import type { GoneDevice } from '../../shared/page-data.ts';
import { isInAddress, onAddressChange, toCardAddress, writeParameter } from '../address.ts';
import { createButton, createElement, createIsolatedText, requireElement } from '../dom.ts';
import type { Page } from '../load-page-data.ts';
import { createCardContent } from './card-content.ts';

export function mountDeviceCard(page: Page): void {
  const dialog = requireElement('#card') as HTMLDialogElement;
  let shown: string | undefined;
  dialog.addEventListener('close', () => {
    // The event follows the closing; the address may name another device by then.
    if (isInAddress('device', shown)) {
      writeParameter('device', undefined);
    }
  });
  dialog.addEventListener('click', (event) => {
    // Closes the card, which would hide the glossary's word behind it.
    if (event.target === dialog || (event.target as Element).closest('a[href^="#word-"]') !== null) {
      dialog.close();
    }
  });
  onAddressChange('device', (parameters) => {
    const address = parameters.get('device');
    if (address === null) {
      return;
    }
    shown = address;
    const close = createButton(texts.close, () => dialog.close());
    dialog.replaceChildren(createCard(page, address, close));
    if (!dialog.open) {
      dialog.showModal();
    }
  });
}

function createCard(page: Page, address: string, close: HTMLElement): HTMLElement {
  const [source = '', ...rest] = address.split('/');
  const id = rest.join('/');
  const device = page.devices.find((one) => one.id.toWellFormed() === id && one.source === source);
  const gone = page.gone.find((one) => one.id.toWellFormed() === id && one.source === source);
  const name = device === undefined ? (gone?.name ?? id) : device.name;
  const title = name === undefined ? texts.noName : createIsolatedText(name);
  const head = createElement('header', {}, createElement('h2', { id: 'card-title' }, title), close);
  const content = device === undefined ? createUnknownContent(page, source, gone) : createCardContent(page, device);
  return createElement('div', { class: 'card' }, head, ...content);
}

/** Content for a link from another day: the device's fate, as far as this run knows it. */
function createUnknownContent(page: Page, source: string, gone: GoneDevice | undefined): HTMLElement[] {
  if (gone === undefined) {
    const sentence = fillText(texts.unknown, { slot: page.document.slot, source });
    return [createElement('p', { class: 'sentence' }, sentence)];
  }
  const { leftOn: slot, status, serialNumber: serial } = gone;
  const sentence = fillText(texts.gone, { slot, status, serial: serial ?? listTexts.unknown });
  const newer = serial === undefined ? undefined : page.devices.find(({ serialNumber }) => serialNumber === serial);
  const link = newer && createElement('a', { href: toCardAddress(newer) }, texts.showNewer);
  return [
    createElement('p', { class: 'sentence' }, sentence),
    ...(link === undefined ? [] : [createElement('p', {}, texts.moved, ' ', link)]),
  ];
}
