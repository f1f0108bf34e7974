import { parentPort } from 'node:worker_threads'
import { highlight } from './highlight.ts'
import { createRender } from './markdown.ts'
import type { FromRenderer, ToRenderer } from './rendering.ts'

/** The thread that renders long texts and those with code; whoever started it ends it when it takes too long. */
let addresses: readonly string[] = []
let coloursUntil = 0
/** Of many blocks, the first ones are coloured: one that takes for ever is ended from outside, and the text comes again without. */
const render = createRender(
  () => addresses,
  (code, language) => (performance.now() < coloursUntil ? highlight(code, language) : ''),
)

parentPort?.on('message', (message: ToRenderer) => {
  addresses = message.addresses
  coloursUntil = performance.now() + message.colourMs
  let reply: FromRenderer
  try {
    reply = { html: render(message.source, message.options) }
  } catch (error) {
    reply = { error: String(error) }
  }
  parentPort?.postMessage(reply)
})
