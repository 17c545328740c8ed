/** A collection with few tokens, one whose proceeds go to a recipient of its own, and one that is given away. */
export const collectionIds = ['scarce', 'plenty', 'gift'] as const
