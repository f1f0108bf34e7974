import type { SettingsGroups } from '../shared/api.ts'

/** What the recorded protocol has for `robots` on a fresh site: pages that are of no use to a search engine. */
const robots = [
  'User-agent: *',
  'Disallow: /admin',
  'Disallow: /search',
  'Disallow: /install',
  'Disallow: /review',
  'Disallow: /users/login',
  'Disallow: /users/register',
  'Disallow: /users/account-recovery',
  'Disallow: /users/*/*',
  'Disallow: /answer/api',
  'Disallow: /*?code*',
].join('\n')

/** Groups of a fresh site. Name, address, language and privacy are kept by the kernel and laid over these when read. */
export const defaultSettings: SettingsGroups = {
  general: { name: '', short_description: '', description: '', site_url: '', contact_email: '', check_update: true },
  interface: { language: 'zh_CN', time_zone: 'UTC' },
  branding: { logo: '', mobile_logo: '', square_icon: '', favicon: '' },
  write: {
    restrict_answer: true,
    required_tag: false,
    recommend_tags: [],
    reserved_tags: [],
    max_image_size: 4,
    max_attachment_size: 8,
    max_image_megapixel: 40,
    authorized_image_extensions: ['jpg', 'jpeg', 'png', 'gif', 'webp'],
    authorized_attachment_extensions: [],
  },
  legal: {
    external_content_display: 'always_display',
    terms_of_service_original_text: '',
    terms_of_service_parsed_text: '',
    privacy_policy_original_text: '',
    privacy_policy_parsed_text: '',
  },
  seo: { permalink: 2, robots },
  maintenance: { degree: 'open', message: '', until: 0 },
  login: {
    allow_new_registrations: true,
    allow_email_registrations: true,
    allow_password_login: true,
    login_required: false,
    allow_email_domains: null,
  },
  users: {
    default_avatar: 'system',
    gravatar_base_url: 'https://www.gravatar.com/avatar/',
    allow_update_display_name: true,
    allow_update_username: true,
    allow_update_avatar: true,
    allow_update_bio: true,
    allow_update_website: true,
    allow_update_location: true,
  },
  theme: { theme: 'default', color_scheme: '', theme_config: { default: { navbar_style: 'colored', primary_color: '#0033ff' } } },
  'custom-css-html': { custom_head: '', custom_css: '', custom_header: '', custom_footer: '', custom_sidebar: '' },
  privileges: { level: 2, custom_privileges: {} },
}

export const privateRobots = 'User-agent: *\nDisallow: /'
