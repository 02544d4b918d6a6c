<?php
// Routes of the wiki under `php -S`: what a web server's rewrite rules do for Wikipedia (/wiki/Title, /w/api.php).
// The document root is MediaWiki's own folder, so nothing of it is served but its entry points and what a page shows.

$path = rawurldecode( parse_url( $_SERVER['REQUEST_URI'], PHP_URL_PATH ) ?? '/' );
$root = $_SERVER['DOCUMENT_ROOT'];

if ( $path === '/' ) {
	header( 'Location: /wiki/Main_Page', true, 302 );
	return true;
}
if ( preg_match( '#^/(?:w/)?(resources|skins|extensions)/[^\0]+\.(css|js|svg|png|gif|ico|woff2?)$#', $path, $match ) ) {
	$file = realpath( $root . preg_replace( '#^/w/#', '/', $path ) );
	$types = [ 'css' => 'text/css', 'js' => 'text/javascript', 'svg' => 'image/svg+xml', 'ico' => 'image/x-icon' ];
	if ( $file !== false ) {
		header( 'Content-Type: ' . ( $types[$match[2]] ?? 'application/octet-stream' ) );
		readfile( $file );
		return true;
	}
}
if ( preg_match( '#^/(?:w/)?(api|load|rest|opensearch_desc)\.php(?:/|$)#', $path, $match ) ) {
	$entry = $match[1];
} elseif ( preg_match( '#^/(?:wiki/|(?:w/)?index\.php(?:/|$))#', $path ) ) {
	$entry = 'index';
} else {
	http_response_code( 404 );
	header( 'Content-Type: text/plain; charset=utf-8' );
	echo "Not found\n";
	return true;
}
if ( !preg_match( '#^/w(iki)?/#', $path ) ) {
	// MediaWiki takes a title from /index.php/Title only below its own script path.
	$_SERVER['REQUEST_URI'] = '/w' . $_SERVER['REQUEST_URI'];
}
$_SERVER['SCRIPT_NAME'] = $_SERVER['PHP_SELF'] = "/w/$entry.php";
$_SERVER['SCRIPT_FILENAME'] = "$root/$entry.php";
chdir( $root );
require "$root/$entry.php";
