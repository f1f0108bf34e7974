import type { TSchema } from '@stoa/sdk/schema'
import { fallback, oneOf, Type } from '@stoa/sdk/schema'

const text = Type.String()
const flag = Type.Boolean()
const orNull = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()])
const label = Type.Object({ label: text, value: text })
const tag = Type.Object({ slug_name: text, display_name: text })

/** Replies: every member that clients of the protocol read. */
export const replies = {
  general: Type.Object({ name: text, short_description: text, description: text, site_url: text, contact_email: text, check_update: flag }),
  interface: Type.Object({ language: text, time_zone: text }),
  branding: Type.Object({ logo: text, mobile_logo: text, square_icon: text, favicon: text }),
  write: Type.Object({
    restrict_answer: flag,
    required_tag: flag,
    recommend_tags: Type.Array(tag),
    reserved_tags: Type.Array(tag),
    /** MB. */
    max_image_size: Type.Integer(),
    /** MB. */
    max_attachment_size: Type.Integer(),
    max_image_megapixel: Type.Integer(),
    authorized_image_extensions: Type.Array(text),
    authorized_attachment_extensions: Type.Array(text),
  }),
  legal: Type.Object({
    terms_of_service_original_text: text,
    terms_of_service_parsed_text: text,
    privacy_policy_original_text: text,
    privacy_policy_parsed_text: text,
    external_content_display: text,
  }),
  seo: Type.Object({ permalink: Type.Integer(), robots: text }),
  /** `until` is in unix seconds, 0 where nobody knows. */
  maintenance: Type.Object({ degree: oneOf(['open', 'reading', 'nobody']), message: text, until: Type.Integer() }),
  theme: Type.Object({
    theme_options: Type.Array(label),
    theme: text,
    theme_config: Type.Record(text, Type.Object({ navbar_style: text, primary_color: text })),
    color_scheme: text,
  }),
  'custom-css-html': Type.Object({ custom_head: text, custom_css: text, custom_header: text, custom_footer: text, custom_sidebar: text }),
  login: Type.Object({
    allow_new_registrations: flag,
    allow_email_registrations: flag,
    allow_password_login: flag,
    login_required: flag,
    /** Null until the owner saves a list; an empty one allows all as well. */
    allow_email_domains: orNull(Type.Array(text)),
  }),
  users: Type.Object({
    default_avatar: oneOf(['system', 'gravatar']),
    gravatar_base_url: text,
    allow_update_display_name: flag,
    allow_update_username: flag,
    allow_update_avatar: flag,
    allow_update_bio: flag,
    allow_update_website: flag,
    allow_update_location: flag,
  }),
}

const optional = Type.Optional
const address = Type.String({ maxLength: 512 })
const code = Type.String({ maxLength: 65_536 })
const legal = Type.String({ maxLength: 1_000_000 })
const size = Type.Integer({ minimum: 1, maximum: 1024 })
const extensions = orNull(Type.Array(Type.String({ pattern: '^[A-Za-z0-9]{1,16}$' }), { maxItems: 100 }))
const tags = orNull(
  Type.Array(
    Type.Object({ slug_name: Type.String({ minLength: 1, maxLength: 35 }), display_name: optional(Type.String({ maxLength: 35 })) }),
    { maxItems: 200 },
  ),
)

const written = Type.Object({ custom_head: code, custom_css: code, custom_header: code, custom_footer: code, custom_sidebar: code })
export const previewCode = {
  body: written,
  /** `dropped`: tags, attributes and lines that pages leave out. `unbalanced_line`: 0 where the brackets of the CSS fit. */
  reply: Type.Object({ header: text, footer: text, sidebar: text, dropped: Type.Array(text), unbalanced_line: Type.Integer() }),
}

export const themes = {
  /** `slug_name` is empty for the bare look of the kit; `css` sets its tokens. */
  reply: Type.Array(Type.Object({ value: text, slug_name: text, name: text, description: text, is_on: flag, css: text })),
}

/** Bodies of the settings PUTs. A member that is left out keeps its value, unless the protocol requires it. */
export const bodies = {
  general: Type.Object({
    name: Type.String({ minLength: 1, maxLength: 30 }),
    short_description: optional(Type.String({ maxLength: 255 })),
    description: optional(Type.String({ maxLength: 2000 })),
    site_url: Type.String({ minLength: 1, maxLength: 512 }),
    /** Empty: none is published. */
    contact_email: Type.Union([Type.Literal(''), Type.String({ format: 'email', maxLength: 512 })]),
    check_update: optional(flag),
  }),
  interface: Type.Object({
    language: Type.String({ minLength: 1, maxLength: 128 }),
    time_zone: Type.String({ minLength: 1, maxLength: 128 }),
  }),
  branding: Type.Object({
    logo: optional(address),
    mobile_logo: optional(address),
    square_icon: optional(address),
    favicon: optional(address),
  }),
  write: Type.Object({
    restrict_answer: optional(flag),
    required_tag: optional(flag),
    recommend_tags: optional(tags),
    reserved_tags: optional(tags),
    max_image_size: optional(size),
    max_attachment_size: optional(size),
    max_image_megapixel: optional(size),
    authorized_image_extensions: optional(extensions),
    authorized_attachment_extensions: optional(extensions),
  }),
  legal: Type.Object({
    terms_of_service_original_text: optional(legal),
    privacy_policy_original_text: optional(legal),
    external_content_display: Type.Enum(['always_display', 'ask_before_display']),
  }),
  maintenance: Type.Object({
    degree: Type.Enum(['open', 'reading', 'nobody']),
    message: optional(Type.String({ maxLength: 500 })),
    until: optional(Type.Integer({ minimum: 0, maximum: 4_102_444_800 })),
  }),
  seo: Type.Object({ permalink: Type.Enum([1, 2, 3, 4]), robots: Type.String({ maxLength: 65_536 }) }),
  theme: Type.Object({
    theme: Type.String({ minLength: 1, maxLength: 255 }),
    theme_config: optional(
      Type.Record(
        Type.String(),
        Type.Object({
          navbar_style: optional(Type.Enum(['colored', 'light'])),
          primary_color: optional(Type.String({ pattern: '^#[0-9a-fA-F]{6}$' })),
        }),
      ),
    ),
    color_scheme: optional(Type.Enum(['', 'system', 'light', 'dark'])),
  }),
  'custom-css-html': Type.Object({
    custom_head: optional(code),
    custom_css: optional(code),
    custom_header: optional(code),
    custom_footer: optional(code),
    custom_sidebar: optional(code),
  }),
  login: Type.Object({
    allow_new_registrations: optional(flag),
    allow_email_registrations: optional(flag),
    allow_password_login: optional(flag),
    login_required: optional(flag),
    allow_email_domains: optional(orNull(Type.Array(Type.String({ maxLength: 253 }), { maxItems: 1000 }))),
  }),
  users: Type.Object({
    default_avatar: Type.Enum(['system', 'gravatar']),
    gravatar_base_url: optional(address),
    allow_update_display_name: optional(flag),
    allow_update_username: optional(flag),
    allow_update_avatar: optional(flag),
    allow_update_bio: optional(flag),
    allow_update_website: optional(flag),
    allow_update_location: optional(flag),
  }),
}

const none = Type.Null()
const whole = Type.Integer()

export const siteInfo = {
  reply: Type.Object({
    general: replies.general,
    interface: replies.interface,
    branding: replies.branding,
    login: replies.login,
    theme: replies.theme,
    custom_css_html: replies['custom-css-html'],
    site_seo: replies.seo,
    site_users: replies.users,
    site_write: replies.write,
    site_legal: Type.Object({ external_content_display: text }),
    version: text,
    revision: text,
  }),
}
/** Original and rendered text; members are left out while the owner wrote none. */
export const legalText = {
  query: Type.Object({ info_type: Type.Enum(['tos', 'privacy']) }),
  reply: Type.Object({
    terms_of_service_original_text: optional(text),
    terms_of_service_parsed_text: optional(text),
    privacy_policy_original_text: optional(text),
    privacy_policy_parsed_text: optional(text),
  }),
}
export const permission = {
  query: Type.Object({ action: Type.String({ minLength: 1, maxLength: 5000 }) }),
  reply: Type.Record(Type.String(), Type.Object({ has_permission: flag, no_permission_tip: text })),
}
export const ownPrivileges = {
  reply: Type.Object({
    rank: whole,
    /** By the reputation that is needed; what only a role allows is left out. */
    list: Type.Array(Type.Object({ key: text, label: text, needed: whole, allowed: flag })),
  }),
}
export const texts = { reply: Type.Object({ ui: Type.Any(), plugin: Type.Any(), backend: Type.Any() }) }
export const languages = { reply: Type.Array(Type.Object({ label: text, value: text, progress: whole })) }
export const roles = { reply: Type.Array(Type.Object({ id: whole, name: text, description: text })) }
export const render = { body: Type.Object({ content: fallback(Type.String({ maxLength: 131_072 }), '') }), reply: text }
export const reviewing = { reply: Type.Array(Type.Object({ name: text, label: text, todo_amount: whole })) }
export const reasons = {
  query: Type.Object({ object_type: Type.String({ minLength: 1 }), action: Type.String({ minLength: 1 }) }),
  reply: Type.Array(
    Type.Object({
      reason_key: text,
      reason_type: whole,
      name: text,
      description: text,
      content_type: text,
      placeholder: text,
      have_content: flag,
    }),
  ),
}
export const emptyBin = {
  body: Type.Object({
    type: oneOf(['users', 'experiences', 'answers']),
    /** Public ids; only these of the deleted ones. Without it all of them. */
    ids: Type.Optional(Type.Array(Type.String({ maxLength: 24 }), { minItems: 1, maxItems: 100 })),
  }),
  reply: Type.Null(),
}
/** Not an envelope: the text itself. */
export const file = { reply: text }

/** `help`: one sentence of what it allows; `group`: empty where its owner names none. */
const privilege = Type.Object({ key: text, label: text, help: text, group: text, value: whole })
export const privileges = {
  reply: Type.Object({
    options: Type.Array(Type.Object({ level: whole, level_desc: text, privileges: Type.Array(privilege) })),
    selected_level: whole,
  }),
}
const ownPrivilege = Type.Object({ key: Type.String({ maxLength: 100 }), value: Type.Integer({ minimum: 1, maximum: 1_000_000_000 }) })
export const setPrivileges = {
  body: Type.Object({
    level: Type.Enum([1, 2, 3, 99]),
    custom_privileges: optional(orNull(Type.Array(ownPrivilege, { maxItems: 200 }))),
  }),
  reply: none,
}
