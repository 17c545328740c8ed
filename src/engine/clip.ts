const most = 128

/** Cuts a caller's text to the longest that a message contains. Ids are shorter. */
export const clip = (text: string): string => (text.length > most ? `${text.slice(0, most)}…` : text)
