/**
 * Each value that jotai computes gets an object with a getter of its own. V8 keeps getters of object literals in its old generation, from where this
 * one holds all of the page that is being drawn until that generation is collected (decision 0048). With the getter in a class there is one for all.
 */
const BEFORE = `    let controller;
    const options = {
        get signal() {
            if (!controller) {
                controller = new AbortController();
            }
            return controller.signal;
        },
    };
`
const AFTER = '    const options = new ReadOptions();\n'
const CLASS = `
class ReadOptions {
    controller;
    get signal() {
        this.controller ??= new AbortController();
        return this.controller.signal;
    }
}
`

module.exports = function plainSignal(source) {
  if (!source.includes(BEFORE) || !source.includes('() => controller?.abort()'))
    throw new Error('This jotai reads atoms in another way: look at its signal, and at core/plain-signal.cjs')
  return source.replace(BEFORE, AFTER).replace('() => controller?.abort()', '() => options.controller?.abort()') + CLASS
}
