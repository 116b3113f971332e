/** Whether a file compiles with another text, beside the program as it is. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

export interface Compiler {
  compiles(file: string, text: string): boolean;
}

export function createCompiler(root: string): Compiler {
  const { config } = ts.readConfigFile(join(root, 'tsconfig.json'), ts.sys.readFile);
  const { options, fileNames } = ts.parseJsonConfigFileContent({ ...config, include: ['src'] }, ts.sys, root);
  const changed = { file: '', text: '', version: 0 };
  const service = ts.createLanguageService({
    getCompilationSettings: () => ({ ...options, incremental: false }),
    getScriptFileNames: () => fileNames,
    getScriptVersion: (file) => (file === changed.file ? String(changed.version) : '0'),
    getScriptSnapshot: (file) => {
      const text =
        file === changed.file ? changed.text : ts.sys.fileExists(file) ? readFileSync(file, 'utf8') : undefined;
      return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
    },
    getCurrentDirectory: () => root,
    getDefaultLibFileName: ts.getDefaultLibFilePath,
    fileExists: ts.sys.fileExists,
    readFile: ts.sys.readFile,
    readDirectory: ts.sys.readDirectory,
    directoryExists: ts.sys.directoryExists,
  });
  return {
    compiles(file, text) {
      Object.assign(changed, { file, text, version: changed.version + 1 });
      return [...service.getSyntacticDiagnostics(file), ...service.getSemanticDiagnostics(file)].length === 0;
    },
  };
}
