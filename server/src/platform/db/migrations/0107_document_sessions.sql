-- A browser's cookie for documents: documents with the data of the session's person, and no call of the API.
-- `token_start` ties them to the token in the browser's storage: its first letters, of which the rest cannot be told.
alter table sessions add column document_hash bytea unique, add column token_start text not null default '';
