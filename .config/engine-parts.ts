import type { Plugin } from 'esbuild';

/**
 * What dockerode loads at once and the host never uses: building images, by BuildKit's sessions
 * (gRPC, protocol buffers) and from folders (tar), and engines reached by SSH, which brings native
 * code. Together they are ten times what is left.
 */
const unused: Readonly<Record<string, string>> = {
  'dockerode/lib': '^\\./(?:session|buildkit)$',
  'docker-modem/lib': '^\\./ssh$',
  'dockerode/lib/util': '^(?:tar-fs|@balena/dockerignore)$',
};

/** Leaves out the parts of the container engine's client that the host does not use. */
export const leaveOutEngineParts: Plugin = {
  name: 'leave-out-engine-parts',
  setup(bundle) {
    for (const [importer, filter] of Object.entries(unused)) {
      bundle.onResolve({ filter: new RegExp(filter) }, (asked) =>
        asked.importer.includes(`/node_modules/${importer}`)
          ? { path: asked.path, namespace: 'unused-engine-part' }
          : undefined,
      );
    }
    bundle.onLoad({ filter: /.*/, namespace: 'unused-engine-part' }, ({ path }) => ({
      contents: `module.exports = () => { throw new Error('${path} is left out') };`,
    }));
  },
};
