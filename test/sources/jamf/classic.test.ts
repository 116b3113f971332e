import { describe, expect, it } from 'vitest';
import { parseClassicAttribute } from '../../../src/sources/jamf/attribute.ts';
import { findChild, listChildren, parseRoot, readChildText } from '../../../src/sources/jamf/classic.ts';
import { parseClassicMemberIds } from '../../../src/sources/jamf/groups.ts';
import { needSharedText, type Skip } from '../../needs.ts';
import { who } from './builders.ts';

const group = (computers: string) => `<?xml version="1.0"?>\n<computer_group><id>007</id>${computers}</computer_group>`;
const root = (text: string) => parseRoot(text, 'computer_group', who);
const unreadable = expect.objectContaining({ code: 'answer-unreadable' });

describe('a document', () => {
  it('keeps text as text [J10]', () => {
    expect(readChildText(root(group('')), 'id')).toBe('007');
  });

  it.each([
    ['a byte-order mark', `\uFEFF${group('')}`],
    ['no declaration', group('').replace(/^.*\n/, '')],
    ['attributes', group('').replace('<id>', '<id since="9.23">')],
    ['a comment', `${group('')}<!-- end -->\n`],
  ])('may have %s', (_name, text) => {
    expect(readChildText(root(text), 'id')).toBe('007');
  });

  it.each([
    ['nothing', ''],
    ['a web page', '<html><head><title>Status page</title></head><body><p>Forbidden</p></body></html>'],
    ['JSON', '{"computer_group":{}}'],
    ['an end too early', group('<computers><computer><id>1</id>').slice(0, 60)],
    ['no end', group('').replace('</computer_group>', '')],
    ['two roots', group('') + group('').replace(/^.*\n/, '')],
    ['another root beside', `${group('')}<html/>`],
    ['text behind', `${group('')} sorry`],
    ['text in front', `sorry ${group('').replace(/^.*\n/, '')}`],
    ['a document type', group('').replace('\n', '\n<!DOCTYPE x [<!ENTITY a "b">]>')],
    ['an unknown entity', group('<name>&a;</name>')],
    ['an end of our own wrapper', `${group('').replace(/^.*\n/, '')}</document><document><computer_group/>`],
  ])('with %s is unreadable [J6, J7]', (_name, text) => {
    expect(() => root(text)).toThrow(unreadable);
  });

  it('however deep does no harm [H30]', () => {
    const deep = 100_000;
    expect(readChildText(root(group('<a>'.repeat(deep) + '</a>'.repeat(deep))), 'id')).toBe('007');
  });

  it('with names of object properties changes nothing else [J8]', () => {
    const element = root(group('<__proto__><x>1</x></__proto__><constructor>c</constructor>'));
    expect(readChildText(element, 'id')).toBe('007');
    expect(listChildren(element, 'toString')).toEqual([]);
    expect(Object.keys(Object.prototype)).toEqual([]);
  });
});

describe('members [J9]', () => {
  const ids = (computers: string) => parseClassicMemberIds(root(group(computers)), who);

  it.each([
    ['none', '<computers/>', []],
    ['no list', '', []],
    ['none, counted', '<computers><size>0</size></computers>', []],
    ['one', '<computers><size>1</size><computer><id>5</id></computer></computers>', ['5']],
    ['two', '<computers><computer><id>5</id></computer><computer><id>9</id></computer></computers>', ['5', '9']],
  ])('%s', (_name, computers, expected) => {
    expect(ids(computers)).toEqual(expected);
  });

  it.each([
    ['fewer than the size says', '<computers><size>2</size><computer><id>5</id></computer></computers>'],
    ['one without id', '<computers><computer><name>x</name></computer></computers>'],
  ])('%s: unreadable', (_name, computers) => {
    expect(() => ids(computers)).toThrow(unreadable);
  });
});

describe('real bodies', () => {
  const read = (skip: Skip, file: string, name: string) => parseRoot(needSharedText(skip, `real/${file}`), name, who);

  it('groups', ({ skip }) => {
    const groups = listChildren(read(skip, 'jamf-classic-computergroups.xml', 'computer_groups'), 'computer_group');
    expect(groups).toHaveLength(11);
    expect(
      groups.filter((one) => readChildText(one, 'is_smart') === 'false').map((one) => readChildText(one, 'id')),
    ).toEqual(['18']);
    const smart = read(skip, 'jamf-classic-computergroup-smart.xml', 'computer_group');
    expect(parseClassicMemberIds(smart, who)).toEqual(['1', '13', '14', '15']);
    expect(parseClassicMemberIds(read(skip, 'jamf-classic-computergroup-static.xml', 'computer_group'), who)).toEqual([
      '1',
      '3',
    ]);
  });

  it('an attribute', ({ skip }) => {
    expect(
      parseClassicAttribute(read(skip, 'jamf-classic-extension-attribute.xml', 'computer_extension_attribute')),
    ).toEqual({
      id: '1',
      name: 'Extension Attribute 1',
      enabled: true,
      dataType: 'STRING',
      inputType: 'POPUP',
      section: 'GENERAL',
      script: '',
    });
  });

  it('a policy and a profile', ({ skip }) => {
    expect(readChildText(findChild(read(skip, 'jamf-classic-policy.xml', 'policy'), 'general'), 'name')).toBe(
      'Install Firefox',
    );
    const profile = findChild(read(skip, 'jamf-classic-profile.xml', 'os_x_configuration_profile'), 'general');
    expect(readChildText(profile, 'payloads')).toContain('<!DOCTYPE plist');
  });
});
