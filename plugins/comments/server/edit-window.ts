/** Authors may change what they wrote for so many seconds. Source: behaviour reference 6.1. */
export const EDIT_SECONDS = 300
