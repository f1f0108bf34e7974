import type { Page } from '@stoa/sdk'
import { read } from '@stoa/sdk'
import type { Static } from '@stoa/sdk/schema'
import type { PersonalAnswer } from '../../experiences/shared/api.ts'
import type { PresentText } from '../../history/shared/api.ts'
import type { AnswerWithExperience } from '../shared/api.ts'
import type * as schemas from '../shared/schemas.ts'

export type PageQuery = Static<typeof schemas.page.query>
export type ProfileQuery = Static<typeof schemas.personal.query>
export type AdminQuery = Static<typeof schemas.adminPage.query>
export type AdminPage = Static<typeof schemas.adminPage.reply>

/** Reads that only this plugin's routes ask for. */
export const infoByText = read<{ id: string }, AnswerWithExperience>('answers.infoByText')
/** What was just written, for who wrote it. */
export const writtenAnswer = read<{ n: number; actions: boolean }, AnswerWithExperience>('answers.written')
export const personAnswers = read<ProfileQuery, Page<PersonalAnswer>>('answers.ofPerson')
/** The text of an answer, for who changes it. */
export const presentAnswer = read<{ n: number }, PresentText | null>('answers.present')
export const adminAnswers = read<AdminQuery, AdminPage>('answers.adminPage')
