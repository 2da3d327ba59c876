/** Lists the packages that the program bundles, for scanners: a CycloneDX bill of materials. */
import { readFileSync } from 'node:fs';
import path from 'node:path';

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly description?: string;
  readonly license?: string;
}

/** A component of CycloneDX 1.6; `bom-ref` is its package URL, as in npm's own lists. */
interface Component {
  readonly type: 'application' | 'library';
  readonly 'bom-ref': string;
  readonly name: string;
  readonly version: string;
  readonly description?: string | undefined;
  readonly licenses?: readonly unknown[] | undefined;
  readonly purl: string;
}

/**
 * Returns a bill of materials as JSON in the form of CycloneDX 1.6. It has no serial number and no time,
 * so that the same sources make the same file.
 * @param root folder of the package that is built.
 * @param folders of the packages that it bundles.
 */
export function materials(root: string, folders: readonly string[]): string {
  const application = component(manifest(root), 'application');
  const libraries = new Map<string, Component>();
  for (const folder of folders) {
    const library = component(manifest(folder), 'library');
    libraries.set(library.purl, library);
  }
  const bill = {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: { component: application },
    components: [...libraries.values()],
    dependencies: [{ ref: application['bom-ref'], dependsOn: [...libraries.keys()] }],
  };
  return `${JSON.stringify(bill, null, 2)}\n`;
}

function component(
  { name, version, description, license }: Manifest,
  type: Component['type'],
): Component {
  const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`;
  return {
    type,
    'bom-ref': purl,
    name,
    version,
    description,
    licenses: license === undefined ? undefined : [licence(license)],
    purl,
  };
}

/** An SPDX identifier, or an expression of several: CycloneDX has a form for each. */
function licence(text: string): unknown {
  return /[ ()]/.test(text) ? { expression: text } : { license: { id: text } };
}

function manifest(folder: string): Manifest {
  return JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')) as Manifest;
}
