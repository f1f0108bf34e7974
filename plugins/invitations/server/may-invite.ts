/** The permission that whoever is not the author of a post needs; answers declares it. */
export const mayInvite = 'answer.invite_someone_to_answer'
