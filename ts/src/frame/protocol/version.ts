/** Versions with the same first number understand each other. */
export const PROTOCOL_VERSION = '1.0.0';
