/** The shop's logo: the front of a leaf with one corner turned. */
export function Mark() {
  return (
    <svg viewBox="0 0 22 22" aria-hidden="true">
      <path d="M4 1h10l5 5v15H4z" fill="var(--accent)" />
      <path d="M14 1v5h5z" fill="var(--paper)" stroke="var(--accent)" strokeLinejoin="round" />
    </svg>
  )
}
