import { extend, oneOf, pageOf, paging, Type } from '@stoa/sdk/schema'
import { suspensionTimes } from './suspension-times.ts'

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
  /** Of somebody suspended: until when, 0 for no end, and why. */
  suspended_until: Type.Optional(whole),
  suspension_reason: Type.Optional(text),
  visit_token: text,
}
/** Reply of login, registration and verification: the avatar is an address. */
const session = Type.Object({ ...ownMembers, avatar: text })

export const login = {
  body: Type.Object({
    e_mail: email,
    pass: password,
    /** Without `captcha_id`: the code of the second step, from clients that have no page for it. With it, a token as long as vendors make them. */
    captcha_code: Type.Optional(Type.String({ maxLength: 4096 })),
    captcha_id: Type.Optional(Type.String({ maxLength: 500 })),
  }),
  reply: session,
}
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

export const sessions = {
  reply: Type.Array(
    Type.Object({
      id: text,
      browser: text,
      os: text,
      kind: Type.Enum(['desktop', 'mobile', 'tablet', '']),
      network: text,
      created_at: whole,
      used_at: whole,
      is_current: Type.Boolean(),
    }),
  ),
}
export const endSession = { body: Type.Object({ id: Type.String({ minLength: 1, maxLength: 100 }) }), reply: nothing }
export const endOtherSessions = { reply: nothing }

/** `state`: `none`, `making` or `ready`; moments are unix seconds, 0 for none. */
const archive = Type.Object({ state: Type.Enum(['none', 'making', 'ready']), asked_at: whole, expires_at: whole, bytes: whole, url: text })
export const ownArchive = { reply: archive }
export const askArchive = { reply: archive }
export const leave = {
  body: Type.Object({ remove_all_content: Type.Optional(Type.Boolean()) }),
  reply: nothing,
}

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
      suspended_until: whole,
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
    /** How long somebody is suspended; `forever` where neither this nor `suspended_until` is given. */
    suspend_duration: Type.Optional(oneOf(suspensionTimes)),
    /** The same as a moment; wins. 0: until somebody lifts it. */
    suspended_until: Type.Optional(Type.Integer({ minimum: 0, maximum: 99_999_999_999 })),
    /** Told to the person who is suspended, and put into the staff log. */
    reason: Type.Optional(Type.String({ maxLength: 500 })),
  }),
  reply: nothing,
}
export const adminPerson = {
  query: Type.Object({ user_id: userId }),
  reply: Type.Object({
    user_id: text,
    created_at: whole,
    last_login_date: whole,
    suspended_at: whole,
    suspended_until: whole,
    suspension_reason: text,
    username: text,
    former_names: Type.Array(text),
    e_mail: text,
    rank: whole,
    status: text,
    display_name: text,
    avatar: text,
    role_id: whole,
    role_name: text,
    experience_count: whole,
    answer_count: whole,
    follow_count: whole,
    has_password: Type.Boolean(),
    sessions: Type.Array(
      Type.Object({
        id: text,
        browser: text,
        os: text,
        kind: Type.Enum(['desktop', 'mobile', 'tablet', '']),
        network: text,
        created_at: whole,
        used_at: whole,
      }),
    ),
  }),
}
export const endTheirSessions = {
  body: Type.Object({
    user_id: userId,
    /** One of them; left out: all. */
    id: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
  }),
  reply: nothing,
}
export const checkPeople = {
  body: Type.Object({ users: Type.String({ minLength: 1, maxLength: 1_000_000 }) }),
  reply: Type.Array(
    Type.Object({
      line: whole,
      name: text,
      e_mail: text,
      /** What is wrong, or empty. */
      problem: text,
    }),
  ),
}
export const cleanUp = {
  body: Type.Object({ user_id: userId, reason: Type.Optional(Type.String({ maxLength: 500 })) }),
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

const takenOver = Type.Object({ enabled: Type.Boolean(), redirect_url: text })
export const userCentre = {
  reply: Type.Object({
    enabled: Type.Boolean(),
    agent_info: Type.Union([
      Type.Object({
        name: text,
        display_name: text,
        icon: text,
        url: text,
        login_redirect_url: text,
        sign_up_redirect_url: text,
        control_center: Type.Array(Type.Object({ name: text, label: text, url: text })),
        enabled_original_user_system: Type.Boolean(),
      }),
      Type.Null(),
    ]),
  }),
}
export const userCentreSettings = { reply: Type.Object({ profile_setting_agent: takenOver, account_setting_agent: takenOver }) }
export const userCentreBranding = {
  query: Type.Object({ username }),
  reply: Type.Object({
    enabled: Type.Boolean(),
    personal_branding: Type.Array(Type.Object({ icon: text, name: text, label: text, url: text })),
  }),
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

const proofMethod = Type.String({ minLength: 1, maxLength: 64 })
/** What proves who one is. `code` alone will do where nothing but a code is typed: every method that takes one is tried. */
const proof = {
  method: Type.Optional(proofMethod),
  code: Type.Optional(Type.String({ maxLength: 64 })),
  given: Type.Optional(Type.Record(Type.String({ maxLength: 40 }), Type.String({ maxLength: 8192 }), { maxProperties: 8 })),
}

/** A way to prove who one is, for a page to offer. */
const methodView = Type.Object({
  id: text,
  /** In the caller's language. */
  name: text,
  fields: Type.Array(Type.Object({ name: text, label: text, type: text })),
  /** Something has to be asked for before: a challenge, a mail. */
  begins: Type.Boolean(),
})
export const methodViews = Type.Array(methodView)

/** Null: nothing is pending in this browser. */
export const pendingLogin = { reply: Type.Union([Type.Null(), Type.Object({ methods: methodViews })]) }
export const beginProof = {
  /** `anew`: whatever is pending, for somebody who has not said who they are. */
  body: Type.Object({ method: proofMethod, anew: Type.Optional(Type.Boolean()) }),
  reply: Type.Object({ shown: Type.Unknown() }),
}
export const proveLogin = { body: Type.Object(proof), reply: session }
export const confirmSession = { body: Type.Object(proof), reply: Type.Null() }

// Logins at other sites.
const shortCode = Type.String({ minLength: 2, maxLength: 100 })
const methodId = Type.String({ minLength: 1, maxLength: 80 })

const outsideLogin = { name: text, icon: text, link: text }
/** In the order that the owner has chosen. `is_first`: it stands before the login by address and password. */
export const outsideLogins = { reply: Type.Array(Type.Object({ ...outsideLogin, is_first: Type.Boolean() })) }
/** `slug`: the method, for binding; `external_id` is empty where nothing is bound. */
export const ownOutsideLogins = {
  reply: Type.Array(extend(Type.Object(outsideLogin), { binding: Type.Boolean(), external_id: text, slug: text })),
}
/** Admins: `slug` is the method; `first` is empty where none stands first. */
export const loginOrder = {
  reply: Type.Object({ logins: Type.Array(Type.Object({ slug: text, name: text, icon: text })), first: text }),
}
export const saveLoginOrder = {
  body: Type.Object({
    order: Type.Array(methodId, { maxItems: 200, uniqueItems: true }),
    first: Type.String({ maxLength: 80 }),
  }),
  reply: Type.Null(),
}
export const method = { params: Type.Object({ slug: methodId }) }
/** `next`: path of this site to go to afterwards. */
export const startOutside = { ...method, query: Type.Object({ next: Type.Optional(Type.String({ maxLength: 500 })) }) }
/** Whatever the other site sends along. */
export const returned = {
  ...method,
  query: Type.Record(Type.String({ maxLength: 100 }), Type.String({ maxLength: 8192 }), { maxProperties: 30 }),
}
/** The same by a form, which may be longer. */
export const posted = {
  ...method,
  body: Type.Record(Type.String({ maxLength: 100 }), Type.String({ maxLength: 100_000 }), { maxProperties: 30 }),
}
/** `path`: of this site, to go to. */
export const proveOutside = {
  body: Type.Object({
    state: shortCode,
    name: Type.String({ minLength: 1, maxLength: 200, pattern: '\\S' }),
    password: Type.String({ minLength: 1, maxLength: 200 }),
  }),
  reply: Type.Object({ path: text }),
}
/** `drawing`: the dark squares, as a path in a square of `size` units; `link`: what the code holds, where that is an address. */
export const showQr = {
  body: Type.Object({ state: shortCode }),
  reply: Type.Object({ size: Type.Integer(), drawing: text, link: text, seconds: Type.Integer() }),
}
export const lookQr = {
  body: Type.Object({ state: shortCode }),
  reply: Type.Object({ status: oneOf(['waiting', 'scanned', 'expired', 'done']), path: text }),
}
export const nameAddress = {
  body: Type.Object({
    binding_key: shortCode,
    email: Type.String({ minLength: 2, maxLength: 254, format: 'email' }),
    must: Type.Optional(Type.Boolean()),
  }),
  reply: Type.Object({ email_exist_and_must_be_confirmed: Type.Boolean(), access_token: text }),
}
const sessionByCode = { body: Type.Object({ code: shortCode }), reply: session }
export const confirmAddress = sessionByCode
export const handOver = sessionByCode
export const bind = { body: Type.Object({ slug: methodId }), reply: Type.Object({ url: text }) }
export const unbind = {
  body: Type.Object({ external_id: Type.String({ minLength: 1, maxLength: 255 }), slug: Type.Optional(methodId) }),
  reply: nothing,
}
