import { protocol } from '@stoa/sdk'
import { Prose } from '@stoa/sdk/ui/prose'
import type { PageProps, PageRequest } from '@stoa/sdk/web'
import { Slot } from '@stoa/sdk/web'
import type { PlacedPost } from '../../../../plugins/experiences/shared/slots.ts'
import { experienceSlots } from '../../../../plugins/experiences/shared/slots.ts'

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
      <Slot of={experienceSlots.vote} props={place} />
      <Slot of={experienceSlots.footer} props={place} />
      <Slot of={experienceSlots.answers} props={place} />
    </article>
  )
}
