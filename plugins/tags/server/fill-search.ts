import type { ReadContext } from '@stoa/sdk/server'
import type { SearchDocument, SearchNames, SearchResult } from '../../search/shared/api.ts'
import { mainTag, slugsOfPosts, tagsOfPosts } from './read-relations.ts'
import type { Tables } from './tables.ts'

/** Number of the post that a document is, or is a part of. */
const postOf = ({ kind, n, parent = { kind, n } }: SearchDocument): number | undefined =>
  parent.kind === 'experience' ? parent.n : undefined

/** Adds the tags of posts to what the index keeps of them and of their parts. */
export async function fillDocuments(ctx: ReadContext<Tables>, documents: SearchDocument[]): Promise<void> {
  const slugs = await slugsOfPosts(
    ctx,
    documents.flatMap((document) => postOf(document) ?? []),
  )
  for (const document of documents) {
    const own = slugs.get(postOf(document) ?? 0) ?? []
    document.tags = [...new Set([...document.tags, ...own])]
  }
}

/** Shows results with the tags of the post they belong to. */
export async function fillFound(ctx: ReadContext<Tables>, results: SearchResult[]): Promise<void> {
  const found = results.flatMap(({ view: { object } }) => {
    const id = object && ctx.ids.decode(String(object.experience_id))
    return object && id?.kind === 'experience' ? [{ object, post: id.n }] : []
  })
  const tags = await tagsOfPosts(ctx, { experiences: [...new Set(found.map(({ post }) => post))] })
  for (const { object, post } of found) object.tags = tags[post] ?? []
}

/** Puts main tags in the place of synonyms. */
export async function fillNames(ctx: ReadContext<Tables>, queries: SearchNames[]): Promise<void> {
  for (const query of queries) {
    const mains = await Promise.all(query.tags.map((slug) => mainTag(ctx, { slug })))
    query.matchesNothing ||= mains.includes(null)
    query.tags = mains.flatMap((main) => main?.slug.toLowerCase() ?? [])
  }
}
