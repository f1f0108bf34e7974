import { protocol } from '@stoa/sdk'
import { Prose } from '@stoa/sdk/ui/prose'
import type { PageProps, PageRequest } from '@stoa/sdk/web'
import { Slot } from '@stoa/sdk/web'
import { commentSlots } from '../../../../plugins/comments/shared/slots.ts'
import type { PlacedPost } from '../../../../plugins/experiences/shared/slots.ts'
import { experienceSlots } from '../../../../plugins/experiences/shared/slots.ts'
import { voteSlots } from '../../../../plugins/votes/shared/slots.ts'

/** A question with the places that the contract has for others, such as the one for its answers. */
export async function load(request: PageRequest): Promise<PlacedPost> {
  return request.get<PlacedPost>(`${protocol.public}/experience/info`, { query: { id: request.params.qid }, allow404: true })
}

export default function QuestionPage({ data: detail, reload }: PageProps<PlacedPost>) {
  const place = { id: detail.id, authorId: '', detail, answerId: '', reload }
  return (
    <article>
      <h1>{detail.title}</h1>
      <Prose html={detail.html} />
      <Slot of={voteSlots.control} props={{ id: detail.id, authorId: '', votes: detail.vote_count, status: detail.vote_status }} />
      <Slot of={experienceSlots.footer} props={place} />
      <Slot of={commentSlots.thread} props={{ id: detail.id, size: 'normal' }} />
      <Slot of={experienceSlots.answers} props={place} />
    </article>
  )
}
