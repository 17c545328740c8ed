/** The form that uploads a small picture, as text, for tests that send bodies of text alone. */
export const uploadForm = {
  headers: { 'content-type': 'multipart/form-data; boundary=part' },
  body: [
    '--part',
    'content-disposition: form-data; name="file"; filename="mine.svg"',
    '',
    '<svg xmlns="http://www.w3.org/2000/svg"/>',
    '--part--',
    '',
  ].join('\r\n'),
}
