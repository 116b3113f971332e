/** The command that starts Muster, for advice about what to run next: in a checkout, or from the package. */
export const command = import.meta.filename.endsWith('.ts') ? 'npm run muster --' : 'npx muster';
