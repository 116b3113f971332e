/** The scripts on the server, as the deployment document describes them. */

// The server keeps scripts as the browser sent them: with CRLF.
export const lines = (...text: string[]): string => `${text.join('\r\n')}\r\n`;

export const attributeScript = lines(
  '#!/bin/sh',
  'if [ -e "/usr/local/fhfs/bin/fhagent" ]; then',
  '  echo "<result>Installed</result>"',
  'else',
  '  echo "<result>Not Installed</result>"',
  'fi',
);

export const enrollScript = lines(
  '#!/bin/zsh',
  'mdmUser="$4"; mdmPass="$5"; mdmHost="$6"; serviceHost="$7"; apiKey="$8"; circleId="$9"',
  'curl -fsSo fhfs.pkg "https://$serviceHost/download/mac/fhfs.pkg"',
  'curl -fsSo bundle.tar.gz "https://$serviceHost/download/mac/resources/bundle.dat"',
  'mkdir -p /private/var/tmp/fhfs',
  'tar -xzf bundle.tar.gz -C /private/var/tmp/fhfs',
  '/private/var/tmp/fhfs/enroll --mdm "$mdmHost" --user "$mdmUser" --pass "$mdmPass" --key "$apiKey" --circle "$circleId"',
  'sudo installer -verbose -pkg fhfs.pkg -target /',
);

/** The five documented steps, for a directory-joined agent. */
export const directoryScript = (service: string): string =>
  lines(
    '#!/bin/bash',
    `curl -fsSo fhfs.pkg ${service}/download/mac/fhfs.pkg`,
    `curl -fsSo bundle.tar.gz ${service}/download/mac/resources/bundle.dat`,
    'mkdir -p /private/var/tmp/fhfs',
    'tar -xzf bundle.tar.gz -C /private/var/tmp/fhfs',
    'sudo installer -verbose -pkg fhfs.pkg -target /',
  );
