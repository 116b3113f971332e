/** The scripts: section 1.3. They pass shellcheck, and the checks of this very product. */
import { attribute, downloads } from '../definition.ts';
import { isLoopback } from '../hosts.ts';
import { type Company, placeholders, shellWord } from './render.ts';

export function extensionAttribute(): string {
  return `#!/bin/sh
# Says whether the endpoint agent's file is there. Data type String, input type Script (Shell).
if [ -e "${attribute.path}" ]; then
  echo "<result>${attribute.present}</result>"
else
  echo "<result>${attribute.absent}</result>"
fi
`;
}

/** The five documented steps, in order, each checked before the next. */
export function deployDirectory({ deployment }: Company): string {
  const service = deployment.service ?? placeholders.service;
  const protocol = isPlain(service) ? '=http' : '=https';
  const { folder, package: installer, bundle, target } = downloads;
  return `#!/bin/bash
# Installs the directory-aware endpoint agent: download, unpack, install. Meant to be run by a policy.
set -euo pipefail

service=${shellWord(service)}
package_url="$service${installer.path}"
bundle_url="$service${bundle.path}"
folder='${folder}'

work="$(/usr/bin/mktemp -d)"
trap '/bin/rm -rf "$work"' EXIT
cd "$work"

fail() {
  echo "deploy-directory: $1" >&2
  exit 1
}

# 1. The installer package. No redirect is followed, and an error page is a failure.
/usr/bin/curl --fail --silent --show-error --proto '${protocol}' --retry 3 --output ${installer.savedAs} "$package_url" || fail 'the package could not be downloaded'
[ "$(/usr/bin/head -c 4 ${installer.savedAs})" = 'xar!' ] || fail 'the package is no installer archive'

# 2. The bundle.
/usr/bin/curl --fail --silent --show-error --proto '${protocol}' --retry 3 --output ${bundle.savedAs} "$bundle_url" || fail 'the bundle could not be downloaded'
listing="$(/usr/bin/tar -tzf ${bundle.savedAs})" || fail 'the bundle is no gzip tar archive'
if printf '%s\\n' "$listing" | /usr/bin/grep -Eq '(^/|(^|/)\\.\\.(/|$))'; then
  fail 'the bundle would write outside its folder'
fi

# 3. The folder.
/bin/mkdir -p "$folder"

# 4. Unpack.
/usr/bin/tar -xzf ${bundle.savedAs} -C "$folder" || fail 'the bundle could not be unpacked'

# 5. Install, as superuser.
/usr/bin/sudo /usr/sbin/installer -verbose -pkg ${installer.savedAs} -target ${target} || fail 'the installer failed'
`;
}

/** Plain HTTP only on this very machine, where it is as good. */
function isPlain(service: string): boolean {
  const url = URL.parse(service);
  return url?.protocol === 'http:' && isLoopback(url.hostname);
}
