import { extend, pageOf, paging, Type } from '@stoa/sdk/schema'

const nothing = Type.Null()
const text = Type.String()
const whole = Type.Integer()
const email = Type.String({ minLength: 1, maxLength: 254, format: 'email' })
const password = Type.String({ minLength: 8, maxLength: 32 })
const presentPassword = Type.Optional(Type.String({ maxLength: 32 }))
const code = Type.String({ minLength: 1, maxLength: 500 })
const userId = Type.String({ minLength: 1, maxLength: 20 })
const username = Type.String({ minLength: 1, maxLength: 500 })

/** A person as other people's lists show them (the protocol's basic user). */
export const card = Type.Object({
  id: text,
  username: text,
  rank: whole,
  display_name: text,
  /** Absolute address, or empty: draw the first letter. */
  avatar: text,
  website: text,
  location: text,
  /** Empty while the person follows the site. */
  language: text,
  /** `normal`, `inactive`, `suspended`, `deleted`. */
  status: text,
})

const ownMembers = {
  id: text,
  created_at: whole,
  last_login_date: whole,
  username: text,
  e_mail: text,
  mail_status: whole,
  notice_status: whole,
  follow_count: whole,
  answer_count: whole,
  experience_count: whole,
  rank: whole,
  authority_group: whole,
  display_name: text,
  mobile: text,
  bio: text,
  bio_html: text,
  website: text,
  location: text,
  language: text,
  color_scheme: text,
  time_zone: text,
  access_token: text,
  role_id: whole,
  status: text,
  have_password: Type.Boolean(),
  visit_token: text,
}
/** Reply of login, registration and verification: the avatar is an address. */
const session = Type.Object({ ...ownMembers, avatar: text })

export const login = { body: Type.Object({ e_mail: email, pass: password }), reply: session }
export const register = {
  body: Type.Object({ name: Type.String({ minLength: 2, maxLength: 30 }), e_mail: email, pass: password }),
  reply: session,
}
export const logout = { reply: nothing }
/** The avatar is what the form edits; null for visitors. */
export const ownInfo = {
  reply: Type.Union([Type.Object({ ...ownMembers, avatar: Type.Object({ type: text, gravatar: text, custom: text }) }), nothing]),
}
export const sendActivation = { reply: nothing }
export const byCode = { body: Type.Object({ code }), reply: session }

export const changePassword = { body: Type.Object({ old_pass: presentPassword, pass: password }), reply: nothing }
export const resetPassword = { body: Type.Object({ e_mail: email }), reply: nothing }
export const replacePassword = { body: Type.Object({ code, pass: password }), reply: nothing }
export const changeEmail = { body: Type.Object({ e_mail: email, pass: presentPassword }), reply: nothing }

export const saveProfile = {
  body: Type.Object({
    display_name: Type.Optional(Type.String({ minLength: 1, maxLength: 30 })),
    username: Type.Optional(Type.String({ minLength: 2, maxLength: 30 })),
    avatar: Type.Optional(
      Type.Object({
        type: Type.Optional(Type.Enum(['', 'default', 'gravatar', 'custom'])),
        gravatar: Type.Optional(Type.String({ maxLength: 500 })),
        custom: Type.Optional(Type.String({ maxLength: 500 })),
      }),
    ),
    bio: Type.Optional(Type.String({ maxLength: 4096 })),
    website: Type.Optional(Type.String({ maxLength: 500 })),
    location: Type.Optional(Type.String({ maxLength: 100 })),
  }),
  reply: nothing,
}
export const saveInterface = {
  body: Type.Object({
    language: Type.String({ minLength: 2, maxLength: 100 }),
    color_scheme: Type.Enum(['default', 'system', 'light', 'dark']),
    /** Empty: none of one's own. */
    time_zone: Type.Optional(Type.String({ maxLength: 60 })),
  }),
  reply: nothing,
}

export const reputationRow = Type.Object({
  created_at: whole,
  object_id: text,
  experience_id: text,
  answer_id: text,
  object_type: text,
  title: text,
  url_title: text,
  /** HTML. */
  content: text,
  reputation: whole,
  /** What it was for, in words. */
  rank_type: text,
})
export const reputation = {
  query: Type.Object({ ...paging(10), /** Default: the caller. */ username: Type.Optional(username) }),
  reply: pageOf(reputationRow),
}
export const reputationCheck = {
  reply: Type.Object({
    count: whole,
    /** The first of them. `ledger`: what the rows add up to. */
    list: Type.Array(Type.Object({ user_id: text, username: text, display_name: text, rank: whole, ledger: whole, found_at: whole })),
  }),
}
export const correctReputation = { reply: Type.Null() }
export const publicProfile = {
  query: Type.Object({ username }),
  reply: Type.Object({
    id: text,
    created_at: whole,
    last_login_date: whole,
    username: text,
    follow_count: whole,
    answer_count: whole,
    experience_count: whole,
    rank: whole,
    display_name: text,
    avatar: text,
    mobile: text,
    bio: text,
    bio_html: text,
    website: text,
    location: text,
    status: text,
    status_msg: Type.Optional(text),
  }),
}
export const rankingEntry = Type.Object({ username: text, rank: whole, vote_count: whole, display_name: text, avatar: text })
export const ranking = {
  reply: Type.Object({
    users_with_the_most_reputation: Type.Array(rankingEntry),
    users_with_the_most_vote: Type.Array(rankingEntry),
    staffs: Type.Array(rankingEntry),
  }),
}
export const directory = {
  query: Type.Object({
    ...paging(30),
    order: Type.Optional(Type.Enum(['reputation', 'newest'])),
    /** Beginning of a name. */
    name: Type.Optional(Type.String({ maxLength: 30 })),
  }),
  reply: pageOf(Type.Object({ username: text, rank: whole, created_at: whole, display_name: text, avatar: text })),
}
export const searchPeople = { query: Type.Object({ username }), reply: Type.Array(card) }
export const searchStaff = {
  query: Type.Object({
    username: Type.Optional(Type.String({ maxLength: 500 })),
    page_size: Type.Optional(Type.Integer({ minimum: 1 })),
  }),
  reply: Type.Union([Type.Array(Type.Object({ username: text, display_name: text, avatar: text })), nothing]),
}

export const adminPage = {
  query: Type.Object({
    ...paging(10),
    query: Type.Optional(Type.String({ maxLength: 100 })),
    status: Type.Optional(Type.Enum(['', 'normal', 'suspended', 'deleted', 'inactive'])),
    staff: Type.Optional(Type.Boolean()),
  }),
  reply: pageOf(
    Type.Object({
      user_id: text,
      created_at: whole,
      deleted_at: whole,
      suspended_at: whole,
      username: text,
      e_mail: text,
      rank: whole,
      status: text,
      display_name: text,
      avatar: text,
      role_id: whole,
      role_name: text,
    }),
  ),
}
export const addPeople = { body: Type.Object({ users: Type.String({ minLength: 1, maxLength: 1_000_000 }) }), reply: nothing }
export const setState = {
  body: Type.Object({
    user_id: userId,
    status: Type.Enum(['normal', 'suspended', 'deleted', 'inactive']),
    remove_all_content: Type.Optional(Type.Boolean()),
  }),
  reply: nothing,
}
export const setRole = { body: Type.Object({ user_id: userId, role_id: Type.Enum([1, 2, 3]) }), reply: nothing }
export const setPassword = { body: Type.Object({ user_id: userId, password }), reply: nothing }
export const setProfile = {
  body: Type.Object({
    user_id: userId,
    display_name: Type.String({ minLength: 3, maxLength: 30 }),
    username: Type.Optional(Type.String({ minLength: 3, maxLength: 30 })),
    email,
  }),
  reply: nothing,
}
export const activationLink = { query: Type.Object({ user_id: userId }), reply: Type.Object({ activation_url: text }) }
export const mailActivation = { body: Type.Object({ user_id: userId }), reply: nothing }

const outsideLogin = { name: text, icon: text, link: text }
const takenOver = Type.Object({ enabled: Type.Boolean(), redirect_url: text })
export const outsideLogins = { reply: Type.Array(Type.Object(outsideLogin)) }
export const ownOutsideLogins = {
  reply: Type.Array(extend(Type.Object(outsideLogin), { binding: Type.Boolean(), external_id: text })),
}
export const userCentre = { reply: Type.Object({ enabled: Type.Boolean(), agent_info: nothing }) }
export const userCentreSettings = { reply: Type.Object({ profile_setting_agent: takenOver, account_setting_agent: takenOver }) }
export const userCentreBranding = {
  query: Type.Object({ username }),
  reply: Type.Object({ enabled: Type.Boolean(), personal_branding: Type.Array(Type.Any()) }),
}
export const adminUserCentre = {
  reply: Type.Object({
    allow_create_user: Type.Boolean(),
    allow_update_user_status: Type.Boolean(),
    allow_update_user_password: Type.Boolean(),
    allow_update_user_role: Type.Boolean(),
  }),
}
export const actionRecord = {
  query: Type.Object({
    action: Type.Enum([
      'email',
      'password',
      'edit_userinfo',
      'experience',
      'answer',
      'comment',
      'edit',
      'invitation_answer',
      'search',
      'report',
      'delete',
      'vote',
    ]),
  }),
  reply: Type.Object({ captcha_id: text, captcha_img: text, verify: Type.Boolean() }),
}
