/** The name under which a chain knows a collection: its contract's address follows from it. */
export const collectionKey = ({ projectId, id }: { projectId: string; id: string }): string =>
  `collection:${projectId}:${id}`
