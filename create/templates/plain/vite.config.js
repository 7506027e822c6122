// The package's workers are modules.
export default { worker: { format: 'es' } };
