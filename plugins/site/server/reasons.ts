import type { Reason } from '../shared/api.ts'

/** Numbers are the protocol's; `input` says what a person adds: nothing, a line or a text. */
const reasons: Record<number, { key: string; input?: 'text' | 'textarea' }> = {
  57: { key: 'reason.spam' },
  58: { key: 'reason.rude_or_abusive' },
  59: { key: 'reason.something', input: 'textarea' },
  60: { key: 'reason.a_duplicate', input: 'text' },
  61: { key: 'reason.not_a_answer' },
  62: { key: 'reason.no_longer_needed' },
  63: { key: 'reason.community_specific' },
  64: { key: 'reason.not_clarity' },
  65: { key: 'reason.normal' },
  66: { key: 'reason.normal.user' },
  67: { key: 'reason.closed' },
  68: { key: 'reason.deleted' },
  69: { key: 'reason.deleted.user' },
  70: { key: 'reason.suspended' },
  71: { key: 'reason.inactive' },
  72: { key: 'reason.looks_ok' },
  73: { key: 'reason.needs_edit' },
  74: { key: 'reason.needs_close' },
  75: { key: 'reason.needs_delete' },
}

const lists: Record<string, number[]> = {
  'experience.flag': [57, 58, 59, 60],
  'answer.flag': [57, 58, 59, 61],
  'comment.flag': [57, 58, 59, 62],
  'user.flag': [57, 58, 59],
  'experience.close': [60, 63, 64, 59],
  'experience.status': [65, 67, 68],
  'answer.status': [65, 68],
  'comment.status': [65, 68],
  'user.status': [66, 70, 69, 71],
  'experience.review': [72, 73, 74, 75],
  'answer.review': [72, 73, 75],
  'comment.review': [72, 73, 75],
}

/** Reasons to choose from, translated. @returns undefined for a pair the protocol has no list for. */
export function reasonsFor(objectType: string, action: string, text: (key: string) => string): Reason[] | undefined {
  return lists[`${objectType}.${action}`]?.map((type) => {
    const { key, input } = reasons[type] as { key: string; input?: 'text' | 'textarea' }
    return {
      reason_key: key,
      reason_type: type,
      name: text(`${key}.name`),
      description: text(`${key}.description`),
      content_type: input ?? '',
      placeholder: input ? text(`${key}.placeholder`) : '',
      have_content: input !== undefined,
    }
  })
}
