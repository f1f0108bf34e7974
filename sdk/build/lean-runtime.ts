import type { Compiler } from '@rspack/core'

/**
 * Replaces parts of a container's runtime. The compiler's own serve every way of sharing: with them an entry is 4.5 KB (brotli), without
 * 1 KB. A container of ours offers nothing, takes what the host has within a caret range, and finds its styles in the document.
 * What it speaks to the outside (`init(shareScope)`, `get(expose)`) stays as the federation protocol has it.
 */
export class LeanRuntimePlugin {
  /** After a build: chunk → keys of the shared modules that it takes from the host. */
  readonly shares: Record<string, string[]> = {}

  apply(compiler: Compiler): void {
    compiler.hooks.thisCompilation.tap('LeanRuntimePlugin', (compilation) => {
      compilation.hooks.runtimeModule.tap('LeanRuntimePlugin', (module) => {
        const { source } = module
        if (!source) return
        const replace = (write: (text: string) => string) => {
          source.source = Buffer.from(write(source.source.toString('utf8')))
        }
        if (module.name === 'sharing') replace(() => '__webpack_require__.S = {};\n__webpack_require__.I = () => 1;\n')
        else if (module.name === 'auto_public_path') replace(() => "__webpack_require__.p = new URL('.', import.meta.url).href;\n")
        else if (module.name === 'css_loading') replace(styles)
        else if (module.name === 'consumes_loading') replace((text) => consumes(text, this.shares))
      })
    })
  }
}

/** What the compiler wrote about shared modules; read from its text, since it hands it to nobody. @throws when it writes otherwise than we know */
function consumes(source: string, shares: Record<string, string[]>): string {
  const [, chunks, modules = '', initial] =
    /consumesLoadingData = \{ chunkMapping: (\{.*?\}), moduleIdToConsumeDataMapping: (.*), initialConsumes: (\[.*?\]) \};/.exec(source) ??
    []
  const rows = [...modules.matchAll(/("[^"]+"): \{ shareScope: "default", shareKey: "([^"]+)"[^}]*?requiredVersion: "([^"]+)"/g)]
  if (chunks === undefined || initial !== '[]' || rows.length !== modules.split('shareScope:').length - 1)
    throw new Error('This compiler describes shared modules otherwise than the preset expects')
  const foreign = rows.find(([, , , range]) => !/^\^[1-9]\d*\.\d+\.\d+$/.test(range as string))
  if (foreign) throw new Error(`The range ${foreign[3]} of ${foreign[2]} is no caret range`)
  const keyOf = new Map(rows.map(([, id, key]) => [JSON.parse(id as string) as string, key as string]))
  for (const [chunk, ids] of Object.entries(JSON.parse(chunks) as Record<string, string[]>))
    shares[chunk] = ids.map((id) => keyOf.get(id) as string)
  return `
var chunks = ${chunks};
var keys = { ${rows.map(([, id, key, range]) => `${id}: "${key} ${range}"`).join(', ')} };
var installed = {};
var fits = (version, range) => {
  var have = version.split('.'), want = range.slice(1).split('.');
  return have[0] === want[0] && (have[1] - want[1] || parseInt(have[2]) - want[2]) >= 0;
};
__webpack_require__.f.consumes = (chunk, promises) => (chunks[chunk] || []).forEach((id) => {
  if (installed[id] === undefined) {
    var [key, range] = keys[id].split(' ');
    var offers = __webpack_require__.S.default[key] || {};
    var version = Object.keys(offers).find((one) => fits(one, range));
    installed[id] = version
      ? Promise.resolve(offers[version].get()).then((factory) => {
          installed[id] = 0;
          __webpack_require__.m[id] = (module) => { module.exports = factory(); };
        })
      : Promise.reject(Error('The host offers ' + (Object.keys(offers).join(', ') || 'no version') + ' of ' + key + ', needed is ' + range));
    installed[id].catch(() => { delete installed[id]; });
  }
  if (installed[id]) promises.push(installed[id]);
});
`
}

/** Styles of what loads later. Those of a contribution stand in the document already: the host puts them there. */
function styles(source: string): string {
  const test = /if \((.+)\) \{\s*\/\/ setup Promise in chunk cache/.exec(source)?.[1]
  if (test === undefined) throw new Error('This compiler loads styles otherwise than the preset expects')
  return `
var sheets = {};
__webpack_require__.f.css = (chunkId, promises) => {
  if (typeof document === 'undefined' || !(${test})) return;
  promises.push(sheets[chunkId] ||= new Promise((resolve) => {
    var url = __webpack_require__.p + __webpack_require__.k(chunkId);
    if ([...document.querySelectorAll('link[rel=stylesheet]')].some((link) => link.href === url)) return resolve();
    var link = document.createElement('link');
    link.rel = 'stylesheet';
    link.href = url;
    link.onload = link.onerror = resolve;
    document.head.append(link);
  }));
};
`
}
