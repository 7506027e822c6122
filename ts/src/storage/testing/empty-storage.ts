/** Begins each test file without databases: all files of a browser share its storage, and their order varies. */
import { beforeAll } from 'vitest';
import { deleteDatabases } from './databases.js';

beforeAll(deleteDatabases);
