import type { ExperienceView } from '../shared/api.ts'

/** A post without the text it was written as, which only its editor needs: pages carry no more than they show. */
export type ReadPost = Omit<ExperienceView, 'content'>
