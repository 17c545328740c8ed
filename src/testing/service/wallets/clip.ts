const most = 128

/** Cuts what a caller sent to a length that a message can hold: ids are no longer. */
export const clip = (text: string): string => (text.length > most ? `${text.slice(0, most)}…` : text)
