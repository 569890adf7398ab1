-- A job replaces the search texts of the previous format.
create index goods_search_old on goods (id) where not starts_with(search_text, '~');
