/**
 * Node's inspector for one function, by `npm start -- --inspect <function>`. The bundles are minified and name no source
 * map, so this adds the name while the module loads: an editor then binds breakpoints of the source files in this function alone.
 */
import inspector from 'node:inspector'
import { registerHooks } from 'node:module'
import { basename } from 'node:path'
import { pathToFileURL } from 'node:url'

/** Node's own default, which editors and `node inspect` try first. */
export const inspectorPort = 9229

/**
 * Opens the inspector in this process. Call it before the first import from `folder`, which has the function's bundle.
 * @throws when the port is taken
 */
export function openInspector(folder: string, port = inspectorPort): void {
  const bundles = pathToFileURL(`${folder}/`).href
  registerHooks({
    load(url, context, nextLoad) {
      const loaded = nextLoad(url, context)
      const { pathname } = new URL(url)
      if (!url.startsWith(bundles) || !pathname.endsWith('.mjs') || loaded.source == null) return loaded
      const source = Buffer.from(loaded.source as Uint8Array).toString()
      return { ...loaded, source: `${source}\n//# sourceMappingURL=${basename(pathname)}.map\n` }
    },
  })
  inspector.open(port)
}
