import { decodeId } from '@stoa/sdk'

/** Code of posts in public ids. */
const POST = 1

const code = /(```[\s\S]*?(?:```|$)|~~~[\s\S]*?(?:~~~|$)|`[^`\n]*`)/
const hash = /(^|[\s(（，。、,;；])#(\d{17})(?!\d)/gm

const isPost = (id: string): boolean => decodeId(id)?.kind === POST

/** Turns `#<id>` outside of code into a link to that post. */
export function linkPostNumbers(content: string): string {
  return content
    .split(code)
    .map((part, index) =>
      index % 2 === 1 ? part : part.replace(hash, (text, before, id) => (isPost(id) ? `${before}[#${id}](/experiences/${id})` : text)),
    )
    .join('')
}
