/** Joiners have a use within emoji and Arabic words only. */
const UNSEEN =
  /(?<!\p{Extended_Pictographic}|\p{Emoji_Modifier}|\uFE0F)\u200D|(?<!\p{Script=Arabic})\u200C|\u034F|[\u00AD\u061C\u115F\u1160\u17B4\u17B5\u180E\u200B\u200E\u200F\u2028-\u202E\u2060-\u206F\u3164\uFEFF\uFFA0]|(?!\s)\p{Cc}/gu

/** A name as it is kept: without what nobody sees, by which one person could pass for another or turn the text around it. */
export const displayName = (text: string): string => text.replace(UNSEEN, '').replace(/\s+/g, ' ').trim()
