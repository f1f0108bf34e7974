/**
 * Gives a module the two functions that the compiler's marks of components call: a component is known by plugin, file and name,
 * whichever generation it comes from. Where nobody listens, as on the server, the marks do nothing.
 */
export default function mark(source) {
  const name = JSON.stringify(`${this.getOptions().slug}/${this.resourcePath.slice(this.rootContext.length)} `)
  return `const $RefreshReg$ = (type, id) => globalThis.stoaDev?.register(type, ${name} + id), $RefreshSig$ = () => globalThis.stoaDev?.sign() ?? ((type) => type); ${source}`
}
