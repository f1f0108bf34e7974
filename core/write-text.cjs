/**
 * React encodes each piece of a page by itself, into buffers for a connection. Ours goes to nobody before all of it is there, and is encoded at
 * once (measured: an eighth of the time that a page takes).
 */
const BODIES = {
  writeChunk: ['destination, chunk', 'if (chunk.length > 0) destination.write(chunk)'],
  completeWriting: ['destination', ''],
  stringToPrecomputedChunk: ['content', 'return content'],
  byteLengthOfChunk: ['chunk', 'return chunk.length'],
  // What is large could be sent behind the rest: then its fallback is drawn too, for each contribution of more than 500 characters.
  isEligibleForOutlining: ['', 'return false'],
  // Only pages that are resumed elsewhere need them.
  getComponentNameFromType: ['', 'return null'],
  // It also asks for an immediate, for headers that nobody sends early; each holds its page, and may hold the next one's (decision 0048).
  startWork: ['request', 'scheduleMicrotask(() => requestStorage.run(request, performWork, request))'],
}

module.exports = function writeText(source) {
  return Object.entries(BODIES).reduce((text, [name, [parameters, body]]) => {
    const start = text.indexOf(`function ${name}(`)
    const end = text.indexOf('\n}\n', start)
    if (start < 0 || end < 0) throw new Error(`This React has no function ${name}: look at how it writes, and at core/write-text.cjs`)
    return `${text.slice(0, start)}function ${name}(${parameters}) {\n  ${body}${text.slice(end)}`
  }, source)
}
