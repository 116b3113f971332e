/** The card of a device, in a dialog. It has an address of its own, which may be a link from another day. */
import { fillText } from '../../shared/format.ts';
import { cardTexts as texts } from '../../shared/list-texts.ts';
import type { ListedDevice } from '../../shared/page-data.ts';
import { isInAddress, onAddressChange, openDevice, writeParameter } from '../address.ts';
import { createElement, createIsolatedText, requireElement } from '../dom.ts';
import type { Page } from '../load-page-data.ts';
import { createCardContent } from './card-content.ts';

export function mountDeviceCard(page: Page): void {
  const dialog = requireElement('#card') as HTMLDialogElement;
  let shown: string | undefined;
  dialog.addEventListener('close', () => {
    // The event comes after the closing: the address may name another device by then.
    if (isInAddress('device', shown)) {
      writeParameter('device', undefined);
    }
  });
  dialog.addEventListener('click', (event) => {
    if (event.target === dialog) {
      dialog.close();
    }
  });
  onAddressChange('device', (parameters) => {
    const address = parameters.get('device');
    if (address === undefined) {
      return;
    }
    shown = address;
    const close = createElement('button', { type: 'button' }, texts.close);
    close.addEventListener('click', () => dialog.close());
    dialog.replaceChildren(createCard(page, address, close));
    if (!dialog.open) {
      dialog.showModal();
    }
  });
}

function createCard(page: Page, address: string, close: HTMLElement): HTMLElement {
  const { source, id } = parseDeviceAddress(address);
  const device = page.devices.find((one) => one.id.toWellFormed() === id && one.source === source);
  const name = device === undefined ? (findDeparted(page, source, id)?.name ?? id) : device.name;
  const title = name === undefined ? texts.noName : createIsolatedText(name);
  return createElement(
    'div',
    { class: 'card' },
    createElement('header', {}, createElement('h2', { id: 'card-title' }, title), close),
    ...(device === undefined ? createUnknownContent(page, source, id) : createCardContent(page, device)),
  );
}

function parseDeviceAddress(address: string): { source: string; id: string } {
  try {
    const [source = '', ...id] = address.split('/').map(decodeURIComponent);
    return { source, id: id.join('/') };
  } catch {
    // It was cut off within a character.
    return { source: '', id: address };
  }
}

function findDeparted({ departed }: Page, source: string, id: string) {
  return departed.find((one) => one.id.toWellFormed() === id && one.source === source);
}

/** A link from another day: what became of the device, as far as this run knows. */
function createUnknownContent(page: Page, source: string, id: string): HTMLElement[] {
  const { slot } = page.document;
  const departed = findDeparted(page, source, id);
  const { serialNumber } = departed ?? {};
  const sentence =
    departed === undefined
      ? fillText(texts.unknown, { slot, source })
      : fillText(texts.departed, {
          slot: departed.leftOn,
          status: departed.status,
          serial: serialNumber ?? texts.noSerial,
        });
  const newer = serialNumber === undefined ? undefined : page.devices.find((one) => one.serialNumber === serialNumber);
  return [
    createElement('p', { class: 'sentence' }, sentence),
    ...(newer === undefined ? [] : [createElement('p', {}, texts.moved), createFollowButton(newer)]),
  ];
}

function createFollowButton({ source, id }: ListedDevice): HTMLElement {
  const button = createElement('button', { type: 'button' }, texts.showNewer);
  button.addEventListener('click', () => openDevice(source, id));
  return button;
}
