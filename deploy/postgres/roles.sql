-- Run once as an administrator: psql -f deploy/postgres/roles.sql postgres
-- Then start the servers and `npm run shop` with
--   DATABASE_URL=postgres://shop_server:…@host/shop
--   MIGRATIONS_DATABASE_URL=postgres://shop_owner:…@host/shop   (needed by a start that migrates, and by backup and restore)

-- What the servers may do; migrations give it its rights.
create role shop_app nologin;
-- Owns the tables and runs the migrations.
create role shop_owner login password 'change-me';
-- What the servers sign in as.
create role shop_server login password 'change-me-too' in role shop_app;
create database shop owner shop_owner;
