// Exported, so that the page runs without Next's own server.
export default { output: 'export' };
