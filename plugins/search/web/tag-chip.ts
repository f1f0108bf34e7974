/** How a tag looks as a chip: `reserved` ones may be used by staff only. */
export const chipOf = (tag: { slug_name: string; display_name: string; reserved: boolean; recommend: boolean }) => ({
  name: tag.display_name || tag.slug_name,
  to: `/tags/${encodeURIComponent(tag.slug_name)}`,
  look: tag.reserved ? ('guarded' as const) : tag.recommend ? ('accent' as const) : ('plain' as const),
})
