/** Scripts on the server: the vendor's enrollment script, and independent copies of those that `muster artifacts` renders. */

export const attributeScript = toServerText(`#!/bin/sh
# Says whether the endpoint agent's file is there. Data type String, input type Script (Shell).
if [ -e "/usr/local/fhfs/bin/fhagent" ]; then
  echo "<result>Installed</result>"
else
  echo "<result>Not Installed</result>"
fi
`);

export const enrollScript = toServerText(`#!/bin/zsh
mdmUser="$4"; mdmPass="$5"; mdmHost="$6"; serviceHost="$7"; apiKey="$8"; circleId="$9"
curl -fsSo fhfs.pkg "https://$serviceHost/download/mac/fhfs.pkg"
curl -fsSo bundle.tar.gz "https://$serviceHost/download/mac/resources/bundle.dat"
mkdir -p /private/var/tmp/fhfs
tar -xzf bundle.tar.gz -C /private/var/tmp/fhfs
/private/var/tmp/fhfs/enroll --mdm "$mdmHost" --user "$mdmUser" --pass "$mdmPass" --key "$apiKey" --circle "$circleId"
sudo installer -verbose -pkg fhfs.pkg -target /
`);

/** The five documented steps, for a directory-joined agent; the simulator's service is on this machine, without TLS. */
export function renderDirectoryScript(service: string): string {
  return toServerText(`#!/bin/bash
# Installs the directory-aware endpoint agent: download, unpack, install. Meant to be run by a policy.
set -euo pipefail

service='${service}'
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
/usr/bin/curl --fail --silent --show-error --proto '=http' --retry 3 --output fhfs.pkg "$package_url" || fail 'the package could not be downloaded'
[ "$(/usr/bin/head -c 4 fhfs.pkg)" = 'xar!' ] || fail 'the package is no installer archive'

# 2. The bundle. Its paths are searched in a file: in a pipe, grep's early end would look like no match.
/usr/bin/curl --fail --silent --show-error --proto '=http' --retry 3 --output bundle.tar.gz "$bundle_url" || fail 'the bundle could not be downloaded'
/usr/bin/tar -tzf bundle.tar.gz > paths.txt || fail 'the bundle is no gzip tar archive'
searched=0
LC_ALL=C /usr/bin/grep -Eq '(^/|(^|/)\\.\\.(/|$))' paths.txt || searched=$?
[ "$searched" -ne 0 ] || fail 'the bundle would write outside its folder'
[ "$searched" -eq 1 ] || fail 'the paths in the bundle could not be searched'

# 3. The folder.
/bin/mkdir -p "$folder"

# 4. Unpack.
/usr/bin/tar -xzf bundle.tar.gz -C "$folder" || fail 'the bundle could not be unpacked'

# 5. Install, as superuser.
/usr/bin/sudo /usr/sbin/installer -verbose -pkg fhfs.pkg -target / || fail 'the installer failed'
`);
}

/** A script with CRLF, which servers keep as the browser sent it. */
function toServerText(script: string): string {
  return script.replaceAll('\n', '\r\n');
}
