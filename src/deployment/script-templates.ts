/**
 * Every script that a version of Muster has rendered, newest first: `muster artifacts` renders the first of a list, and
 * a check recognises them all. Add a new template in front. Never change the text of a released one, by which scripts
 * on servers are recognised: `test/deployment/templates.test.ts` has the hash of each.
 */
import { isLoopbackHost } from '../base/loopback.ts';
import { macosFiles } from './definition.ts';

interface ScriptTemplate {
  /** The first version of Muster that rendered it. */
  readonly version: string;
  /** Renders the script for the one setting on which it depends. */
  readonly render: (value: string) => string;
  /** The only value for which that version could render it. */
  readonly only?: string;
  /** The reason why the newest template should replace it. */
  readonly weakness?: string;
}

export type ScriptTemplates = readonly [newest: ScriptTemplate, ...older: ScriptTemplate[]];

export interface RenderedScript extends Pick<ScriptTemplate, 'version' | 'weakness'> {
  readonly text: string;
}

/** Scripts that all versions render for this value, newest first. */
export function renderEvery(templates: ScriptTemplates, value: string): readonly RenderedScript[] {
  return templates
    .filter(({ only = value }) => only === value)
    .map(({ render, ...template }) => ({ ...template, text: render(value) }));
}

/** Templates that depend on `deployment.macos.agentFile` alone. */
export const attributeTemplates: ScriptTemplates = [
  // The documented file has the same text as in 0.1.0, so that no server needs a new script.
  { version: '1.0.0', render: renderAttributeScript },
  { version: '0.1.0', render: renderAttributeScript, only: macosFiles.agent },
];

/** The file that a script of Muster looks for; undefined for every other script. */
export function findAgentFile(script: string): string | undefined {
  const text = toUnixText(script);
  const quoted = /^if \[ -e "(.+)" \]; then$/m.exec(text)?.[1] ?? '';
  const file = quoted.replace(/\\(["$`\\])/g, '$1');
  return renderEvery(attributeTemplates, file).some((rendered) => rendered.text === text) ? file : undefined;
}

/** Templates that depend on `deployment.service` alone: the five documented steps, in order, each checked before the next. */
export const directoryTemplates: ScriptTemplates = [
  {
    version: '1.0.0',
    render: (service) =>
      renderDirectoryScript(service, {
        remark: " Its paths are searched in a file: in a pipe, grep's early end would look like no match.",
        commands: `/usr/bin/tar -tzf bundle.tar.gz > paths.txt || fail 'the bundle is no gzip tar archive'
searched=0
LC_ALL=C /usr/bin/grep -Eq '(^/|(^|/)\\.\\.(/|$))' paths.txt || searched=$?
[ "$searched" -ne 0 ] || fail 'the bundle would write outside its folder'
[ "$searched" -eq 1 ] || fail 'the paths in the bundle could not be searched'`,
      }),
  },
  {
    version: '0.1.0',
    weakness: 'in a large bundle it can miss paths that leave the folder',
    render: (service) =>
      renderDirectoryScript(service, {
        remark: '',
        commands: `listing="$(/usr/bin/tar -tzf bundle.tar.gz)" || fail 'the bundle is no gzip tar archive'
if printf '%s\\n' "$listing" | /usr/bin/grep -Eq '(^/|(^|/)\\.\\.(/|$))'; then
  fail 'the bundle would write outside its folder'
fi`,
      }),
  },
];

function renderAttributeScript(agentFile: string): string {
  return `#!/bin/sh
# Says whether the endpoint agent's file is there. Data type String, input type Script (Shell).
if [ -e ${quoteInDoubleQuotes(agentFile)} ]; then
  echo "<result>Installed</result>"
else
  echo "<result>Not Installed</result>"
fi
`;
}

/** Renders the script; versions differ in how they search the bundle for paths that leave its folder. */
function renderDirectoryScript(
  service: string,
  search: { readonly remark: string; readonly commands: string },
): string {
  return `#!/bin/bash
# Installs the directory-aware endpoint agent: download, unpack, install. Meant to be run by a policy.
set -euo pipefail

service=${quoteShellWord(service)}
package_url="$service/download/mac/fhfs.pkg"
bundle_url="$service/download/mac/resources/bundle.dat"
folder='/private/var/tmp/fhfs'

work="$(/usr/bin/mktemp -d)"
trap '/bin/rm -rf "$work"' EXIT
cd "$work"

fail() {
  echo "deploy-directory: $1" >&2
  exit 1
}

# 1. The installer package. No redirect is followed, and an error page is a failure.
/usr/bin/curl --fail --silent --show-error --proto '${selectProtocol(service)}' --retry 3 --output fhfs.pkg "$package_url" || fail 'the package could not be downloaded'
[ "$(/usr/bin/head -c 4 fhfs.pkg)" = 'xar!' ] || fail 'the package is no installer archive'

# 2. The bundle.${search.remark}
/usr/bin/curl --fail --silent --show-error --proto '${selectProtocol(service)}' --retry 3 --output bundle.tar.gz "$bundle_url" || fail 'the bundle could not be downloaded'
${search.commands}

# 3. The folder.
/bin/mkdir -p "$folder"

# 4. Unpack.
/usr/bin/tar -xzf bundle.tar.gz -C "$folder" || fail 'the bundle could not be unpacked'

# 5. Install, as superuser.
/usr/bin/sudo /usr/sbin/installer -verbose -pkg fhfs.pkg -target / || fail 'the installer failed'
`;
}

/** Protocols that curl may use: plain HTTP only for this machine. */
function selectProtocol(service: string): string {
  const url = URL.parse(service);
  return url?.protocol === 'http:' && isLoopbackHost(url.hostname) ? '=http' : '=https';
}

/** Escapes the four characters that have a meaning in a shell's double quotes. */
function quoteInDoubleQuotes(text: string): string {
  return `"${text.replace(/["$`\\]/g, '\\$&')}"`;
}

/** Quotes a word for a shell: single quotes disable every special character. */
function quoteShellWord(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/**
 * Normalises line ends, which web pages change, and the number of line breaks at the end. Everything else counts, even
 * a byte-order mark, after which a system does not find `#!`.
 */
export function toUnixText(script: string): string {
  return `${script.replaceAll('\r\n', '\n').replace(/\n+$/, '')}\n`;
}
