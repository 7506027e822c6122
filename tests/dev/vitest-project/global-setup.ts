import { stackSetup } from '../../../dev/test/index.js';

export default stackSetup({ hosts: ['http://localhost:5180'] });
