declare module 'markdown-it-footnote' {
  import type { MarkdownIt } from 'markdown-it'

  const footnote: (md: MarkdownIt) => void
  export default footnote
}

declare module 'sanitize-html' {
  type Attributes = Record<string, string>
  interface Options {
    allowedTags: string[]
    allowedAttributes?: Record<string, (string | { name: string; multiple?: boolean; values: string[] })[]>
    allowedClasses?: Record<string, (string | RegExp)[]>
    allowedSchemes?: string[]
    allowedSchemesByTag?: Record<string, string[]>
    allowProtocolRelative?: boolean
    disallowedTagsMode?: 'discard' | 'escape' | 'recursiveEscape' | 'completelyDiscard'
    nonTextTags?: string[]
    transformTags?: Record<string, (tagName: string, attribs: Attributes) => { tagName: string; attribs: Attributes }>
    exclusiveFilter?: (frame: { tag: string; attribs: Attributes }) => boolean
  }
  export default function sanitizeHtml(html: string, options: Options): string
}
