import { LoadedComments } from './comments.tsx'

/** In the slot `experience.footer`. */
export default function ExperienceComments({ id }: { id: string }) {
  return <LoadedComments objectId={id} kind="experience" />
}
