import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ConfigField } from '@stoa/sdk'
import type { Manifest } from '@stoa/sdk/manifest'
import type { TestPerson } from '@stoa/sdk/testing'
import { plugins } from '../support/plugins.ts'
import type { Story } from '../support/story.ts'
import { FIRST_BADGE } from '../support/story.ts'

export interface VisitedPage {
  /** Pattern of the manifest, such as `/tags/:tagName`. */
  pattern: string
  guards: string[]
  /** Whether its content is in the document. */
  onServer: boolean
  slug: string
}

/** Every page a plugin of the repository adds. */
export const everyPage: VisitedPage[] = plugins.flatMap(({ slug, manifest }) =>
  (manifest.contributes?.routes ?? []).map(({ path, guards = [], render }) => ({
    pattern: path,
    guards,
    onServer: render !== 'client',
    slug,
  })),
)

/** Address of a page in the story's site. @throws for a parameter nobody has given a value yet */
export function addressOf({ pattern, slug }: VisitedPage, story: Story): string {
  const values: Record<string, string> = {
    qid: story.experience.id,
    aid: story.answer.id,
    slugPermalink: 'title',
    username: story.username,
    tabName: 'answers',
    tagName: story.tag.slug,
    tagId: story.tag.id,
    tid: story.tag.id,
    slug_name: 'settled',
    slug: 'editor',
    type: 'inbox',
    subType: 'posts',
    badge_id: FIRST_BADGE,
    user_id: String(story.member.id),
  }
  return pattern.replace(/:(\w+)/g, (_, name: string) => {
    const value = values[name]
    if (value === undefined) throw new Error(`The page ${pattern} of ${slug} has the parameter ${name}; give it a value in every-page.ts`)
    return value
  })
}

/** Somebody whom a page's guards let in; undefined is a visitor. */
export function visitorOf({ pattern, guards }: VisitedPage, story: Story): TestPerson | undefined {
  const has = (...names: string[]) => guards.some((name) => names.includes(name))
  if (has('admin', 'staff')) return story.admin
  if (has('notActivated')) return story.newcomer
  // Each rewrites their own.
  if (has('loggedIn', 'activated', 'notForbidden')) return pattern.includes(':aid') ? story.other : story.member
  return undefined
}

const options = [
  { label: 'One', value: 'one' },
  { label: 'Two', value: 'two' },
]
const settings: ConfigField[] = [
  { name: 'legend', type: 'legend', title: 'All kinds of fields' },
  { name: 'input', type: 'input', title: 'Input', description: 'Something short', required: true, value: '' },
  { name: 'secret', type: 'input', title: 'Secret', secret: true, value: '', ui_options: { input_type: 'password' } },
  { name: 'textarea', type: 'textarea', title: 'Text area', value: '', ui_options: { rows: '4' } },
  { name: 'checkbox', type: 'checkbox', title: 'Check boxes', value: [], options },
  { name: 'radio', type: 'radio', title: 'Radio buttons', value: 'one', options },
  { name: 'select', type: 'select', title: 'Select', value: 'two', options },
  { name: 'upload', type: 'upload', title: 'Upload', value: '' },
  { name: 'timezone', type: 'timezone', title: 'Time zone', value: 'UTC' },
  { name: 'switch', type: 'switch', title: 'Switch', value: true, ui_options: { label: 'On' } },
  { name: 'button', type: 'button', title: 'Button', ui_options: { text: 'Press' } },
  { name: 'tags', type: 'tag_selector', title: 'Tags', value: [] },
]

/** A folder with a plugin that has nothing but settings, of every kind: the shipped ones have none. */
export function folderWithSettings(): string {
  const folder = mkdtempSync(join(tmpdir(), 'stoa-settled-'))
  const manifest: Manifest = { slug: 'settled', version: '1.0.0', type: 'route', sdk: '^1.0.0', settings }
  mkdirSync(join(folder, 'settled'))
  writeFileSync(join(folder, 'settled', 'plugin.json'), JSON.stringify(manifest))
  return folder
}
