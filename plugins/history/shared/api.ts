export * from './slots.ts'

import type { Extensions, Person } from '@stoa/sdk'
import { call, decorator, defineErrors, event, live, read, service, services } from '@stoa/sdk'
import type * as schemas from './schemas.ts'

/** Names an object of any kind; `n` is its running number. */
export interface ObjectName {
  kind: string
  n: number
}

/** A text as it stood at one time. */
export interface RevisionText {
  /** Of what has a title or a display name; else empty. */
  title: string
  /** Markdown. */
  content: string
  tags: { slug_name: string; display_name: string }[]
  /** Of what has a name in addresses; else empty. */
  slug_name: string
  /** Values of other plugins that stand with it; absent where its kind has none, and where it was kept before they were. */
  extensions?: Extensions | undefined
}

/** A change of a text. */
export interface TextChange extends ObjectName {
  /** The object whose timeline shows it as well: the post of an answer, itself for a post. */
  root: ObjectName
  editorId: number
  /** What was changed and why; cut at 255 characters. */
  summary: string
  /** Null for an object that is new. */
  before: RevisionText | null
  after: RevisionText
  /** Who wrote the object, and when in Unix seconds: for one that is older than this plugin. */
  origin: { personId: number; at: number }
}

export type HappeningType = 'accept' | 'closed' | 'reopened' | 'deleted' | 'undeleted' | 'pin' | 'unpin' | 'show' | 'hide'

/** Something that was done to an object, beside changes of its text. */
export interface Happening extends ObjectName {
  root: ObjectName
  /** 0 for the site itself. */
  personId: number
  type: HappeningType
  /** HTML, sanitised. */
  comment?: string
}

/** Owners of texts tell it what happens, in the transaction in which it does. */
export interface History {
  /** Keeps a revision. Nothing is kept when the text is the same. A `before` that no revision holds is kept as well. */
  record(change: TextChange): Promise<void>
  /** Keeps a line of the timeline. A deletion also rejects the edit that waits. */
  note(happening: Happening): Promise<void>
  /** Marks the last line of this type as taken back. */
  takeBack(of: ObjectName & { type: HappeningType }): Promise<void>
  /** Keeps an edit for review. @throws `error.revision.review_underway` while another one waits */
  suggest(change: TextChange & { before: RevisionText }): Promise<void>
  /** @throws `error.revision.review_underway` while a suggested edit of the object waits */
  refuseWaiting(of: ObjectName): Promise<void>
  /** Takes the values of a plugin whose data was deleted out of all texts of a kind. May run twice. */
  strip(kind: string, slug: string): Promise<void>
}
export const history = service<History>('history.history')

/** Whoever owns a kind of text provides one, so that suggested edits can be taken. */
export interface Revisable {
  /** Kind name from `plugin.json`. Who may decide on suggestions: `<kind>.audit`. */
  kind: string
  /**
   * Checks and renders a text, before any transaction.
   * @param reviewer who lets it pass; `version`: of the text it was made for
   * @returns what stores it, in the caller's transaction, without recording it; it throws when the text has another version by then
   */
  prepare(
    edit: { n: number; text: RevisionText; version: number; editorId: number; summary: string },
    reviewer: Person,
  ): Promise<() => Promise<void>>
  /** Values of other plugins in words, as `ctx.bags.lines` has them. */
  describe?(extensions: Extensions): { slug: string; label: string; text: string }[]
}
export const revisable = services<Revisable>('history.revisable')

/** What a timeline says of an object. */
export interface HistoryObject {
  root: ObjectName
  authorId: number
  /** Unix seconds. */
  createdAt: number
  title: string
  url_title: string
  /** Public id of the post it belongs to, or empty. */
  experience_id: string
  /** Public id, for an answer; else empty. */
  answer_id: string
  /** Of a tag; else empty. */
  main_tag_slug_name: string
  status: number
  /** 1 listed, 2 unlisted. */
  show: number
  /** How its timeline calls its beginning. */
  began: 'asked' | 'answered' | 'created'
}
/** Filled by the owner of each kind for what the person who asks may see; what stays null is left out. */
export const historyObjects = decorator<ObjectName & { view: HistoryObject | null }>('history.objects')

export interface PresentText {
  text: RevisionText
  html: string
  /** Grows with each change of the text. */
  version: number
  answerCount: number
  answerAccepted: boolean
}
/** Filled by the owner of each kind with the text as it stands, whoever asks. */
export const presentTexts = decorator<ObjectName & { present: PresentText | null }>('history.presentTexts')

/** Filled by the owner of each kind: `text` in the shape in which the protocol sends its objects. */
export const revisionContents = decorator<ObjectName & { text: RevisionText; content: unknown }>('history.contents')

/** A line of a timeline that another plugin knows from its own data. */
export interface TimelineLine extends ObjectName {
  type: 'commented' | 'answered' | 'upvote' | 'downvote'
  /** Unique among the lines of this type. */
  id: number
  at: number
  personId: number
  /** HTML, sanitised. */
  comment: string
}
/** Filled with what happened below an object: at most `limit` lines from each plugin, newest first. */
export const timelineLines = decorator<ObjectName & { votes: boolean; limit: number; lines: TimelineLine[] }>('history.lines')

/** True while this plugin is on: whoever may only suggest edits is offered to. */
export const takesSuggestions = read<Record<string, never>, boolean>('history.takesSuggestions')

/** People above `after` who changed a text of one of these kinds, in the order of their ids, at most `limit`. */
export const editorsOf = read<{ kinds: readonly string[]; after: number; limit: number }, number[]>('history.editors')

export const historyEvents = {
  /** Somebody changed a text; a suggestion counts once it was taken. Not told of the first text of an object. */
  edited: event<ObjectName & { editorId: number }>('history.edited'),
  suggested: event<ObjectName & { revision: number; editorId: number }>('history.suggested', { whileOff: 'replay' }),
  /** A suggestion was taken or rejected. */
  audited: event<ObjectName & { revision: number; editorId: number; reviewerId: number; accepted: boolean }>('history.audited', {
    whileOff: 'replay',
  }),
}

export const historyLive = {
  /** Other suggestions wait than before; the topic is `all`. Heard by those who may review some. */
  waiting: live<Record<string, never>>('history.waiting'),
}

export const historyCalls = {
  revisions: call.get<typeof schemas.revisions>('revisions'),
  unreviewed: call.get<typeof schemas.unreviewed>('revisions/unreviewed'),
  audit: call.put<typeof schemas.audit>('revisions/audit'),
  timeline: call.get<typeof schemas.timeline>('activity/timeline'),
  detail: call.get<typeof schemas.detail>('activity/timeline/detail'),
}

export const historyErrors = defineErrors('error.revision', {
  review_underway: { status: 400, message: 'An edit of {kind} {n} waits for review', display: 'toast' },
  no_permission: { status: 400, message: 'Edits of {kind} are reviewed by others' },
  not_found: { status: 404, message: 'No revision {id}' },
  own_suggestion: { status: 403, message: 'Suggestion {id} is decided by somebody else' },
  object_gone: { status: 400, message: '{kind} {n} is deleted' },
  conflict: { status: 409, message: 'Suggestion {id} does not fit what was changed meanwhile' },
})
export const objectNotFound = defineErrors('error.object', { not_found: { status: 404, message: 'No object {id}' } }).not_found
