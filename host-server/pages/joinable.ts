import { Script } from 'node:vm'

/*
 * Files as they can stand in one file with others. They are recognised by the exact form that the preset writes, of all its versions;
 * whatever looks otherwise (containers of other builds, code that imports by itself) stays a file of its own.
 */

/** A lean container as a function of its own address and of what loads its chunks. */
export function joinableEntry(text: string): string | undefined {
  const [, body, exports] = /^([\s\S]*[;}])export\s*\{([^{}]*)\};?\s*$/.exec(text) ?? []
  const [, get] = /(?:^|,)\s*([\w$]+) as get\s*(?:,|$)/.exec(exports ?? '') ?? []
  const [, init] = /(?:^|,)\s*([\w$]+) as init\s*(?:,|$)/.exec(exports ?? '') ?? []
  if (body === undefined || get === undefined || init === undefined) return undefined
  const own = body.replace('import.meta.url', 'stoaAddress').replace('import("./"+', 'stoaLoad("./"+')
  // What is left would be of the file's own address.
  return /\bimport\s*[(.]/.test(own) ? undefined : parsed(`(stoaAddress,stoaLoad)=>{${own}\nreturn{get:${get},init:${init}}}`)
}

/** A chunk as a function that gives what it exports. */
export function joinableChunk(text: string): string | undefined {
  const [, ids, modules] = /^export const __rspack_esm_ids=(\[[^\]]*\]);export const __webpack_modules__=([\s\S]*?);?\s*$/.exec(text) ?? []
  if (ids === undefined || modules === undefined || /\bimport\s*[(.]/.test(modules)) return undefined
  return parsed(`()=>({__rspack_esm_ids:${ids},__webpack_modules__:${modules}\n})`)
}

/** A sheet as one rule, which can be switched off. */
export function joinableSheet(text: string): string | undefined {
  const bare = text.replace(/^\uFEFF/, '')
  if (/@(?:import|charset|namespace)\b/i.test(bare) || /url\(\s*["']?(?!data:|\/|https:)/i.test(bare) || !isClosed(bare)) return undefined
  return `@media all{${bare}\n}\n`
}

/** A file that does not parse must not keep the others from running. */
function parsed(expression: string): string | undefined {
  try {
    new Script(`"use strict";(${expression})`)
    return expression
  } catch {
    return undefined
  }
}

/** What is opened is closed: brackets, strings and comments. */
function isClosed(css: string): boolean {
  const bare = css.replace(/\/\*[\s\S]*?\*\/|"(?:\\[\s\S]|[^"\\\n])*"|'(?:\\[\s\S]|[^'\\\n])*'|\\[\s\S]/g, '')
  if (/\/\*|["'\\]/.test(bare)) return false
  const open: string[] = []
  const ends: Record<string, string> = { '{': '}', '(': ')', '[': ']' }
  for (const [char] of bare.matchAll(/[{}()[\]]/g)) {
    const end = ends[char]
    if (end !== undefined) open.push(end)
    else if (open.pop() !== char) return false
  }
  return open.length === 0
}
