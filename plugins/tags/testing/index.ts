import type { Reply, TestPerson } from '@stoa/sdk/testing'

const path = '/answer/api/v1/tag'

/** Creates a tag as staff do on the page for it. */
export function createTag(person: TestPerson, slug: string, text = `About ${slug}`): Promise<Reply<{ slug_name: string }>> {
  return person.post(path, { slug_name: slug, display_name: slug, original_text: text })
}

/** The tag as the site describes it. */
export async function tagOf(person: TestPerson, name: string) {
  return (
    await person.get<{ tag_id: string; slug_name: string; experience_count: number; main_tag_slug_name: string; status: string }>(path, {
      name,
    })
  ).data
}
