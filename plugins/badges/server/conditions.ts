/** Upvotes that a post or an answer needs for the badges of its author. Source: behaviour reference, section 9. */
export const upvotesFor: Record<string, readonly (readonly [badge: string, upvotes: number])[]> = {
  answer: [
    ['badges.nice_answer', 10],
    ['badges.good_answer', 25],
    ['badges.great_answer', 50],
  ],
  experience: [
    ['badges.nice_experience', 10],
    ['badges.good_experience', 25],
    ['badges.great_experience', 50],
  ],
}

/** Kinds whose first change makes an editor. */
export const editedKinds = Object.keys(upvotesFor)
