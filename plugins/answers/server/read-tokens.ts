import type { Page } from '@stoa/sdk'
import { read } from '@stoa/sdk'
import type { AnswerView } from '../shared/api.ts'
import type { AdminAnswer, AdminQuery } from './read-admin.ts'
import type { PageQuery } from './read-answers.ts'
import type { ProfileAnswer, ProfileQuery } from './read-profile.ts'

/** Reads that only this plugin's routes ask for. */
export const infoByText = read<{ id: string }, { info: AnswerView; experience: object }>('answers.infoByText')
export const answersPage = read<PageQuery, Page<AnswerView>>('answers.page')
export const personAnswers = read<ProfileQuery, Page<ProfileAnswer>>('answers.ofPerson')
export const adminAnswers = read<AdminQuery, Page<AdminAnswer>>('answers.adminPage')
